"""Labels and their numbers: within one config (ST401), and along the versions of an agent (VER-2, ST501 to ST503).

The successor schema is derived from the versions so far and says what the next one must hold. jsonschema decides by
it; what is here beside it only words the verdict: a rename and a trade of numbers are one problem each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias

from .problem import Elsewhere, Fix, Pointer, Problem
from .wording import alternatives, quote

_PLACE: Pointer = ("harness", "memory", "labels")
_LARGEST = (1 << 53) - 1  # as the agent schema says


Version: TypeAlias = int | str  # its number; where a chain holds two states of one version, the number and which


class Declared(NamedTuple):
    """A label's number, and the version that gave it."""

    number: int
    version: Version


class Owner(NamedTuple):
    """The label that a number belongs to, since a version."""

    name: str
    version: Version


def declared_labels(config: Any) -> dict[str, int]:
    """The labels of a config with their numbers, in order; without what is not declared as the schema wants it."""
    found = {}
    for name, label in _labels(config).items():
        number = label.get("number") if isinstance(label, Mapping) else None
        if isinstance(number, float) and number.is_integer():
            number = int(number)  # 5.0 is a whole number to JSON Schema
        if isinstance(number, int) and not isinstance(number, bool):
            found[name] = number
    return found


def _labels(config: Any) -> Mapping[str, Any]:
    value = config
    for key in _PLACE:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def shared_numbers(config: Any) -> list[Problem]:
    """Two labels of `config` with one number: a problem for each but the first (ST401)."""
    first: dict[int, str] = {}
    found = []
    for name, number in declared_labels(config).items():
        if number not in first:
            first[number] = name
            continue
        other = first[number]
        message = f"labels {quote(other)} and {quote(name)} have one number, {number}"
        there = Elsewhere(None, _number(other), "value", f"{quote(other)} has it here")
        found.append(Problem(_number(name), "value", "ST401", message, "shared-number", elsewhere=(there,)))
    return found


def _number(name: str) -> Pointer:
    return (*_PLACE, name, "number")


class Labels:
    """The labels of an agent's versions so far, oldest first. A number once used stays taken, freed or not."""

    def __init__(self) -> None:
        self.declared: dict[str, Declared] = {}
        self.owners: dict[int, Owner] = {}
        self._latest: dict[str, int] = {}

    def add(self, version: Version, config: Any) -> None:
        """Takes a version into account. What it does wrong gives no label and no number a new owner."""
        self._latest = declared_labels(config)
        for label, number in self._latest.items():
            owner = self.owners.setdefault(number, Owner(label, version))
            if owner.name == label:
                self.declared.setdefault(label, Declared(number, version))

    def schema(self) -> dict[str, Any]:
        """The successor schema: what the next version must satisfy besides the agent schema (VER-2)."""
        kept = {name: {"properties": {"number": self._kept(name)}} for name in self.declared}
        taken = {"properties": {"number": {"allOf": [self._taken(number) for number in self.owners]}}}
        return self._whole(list(self.declared), kept, taken if self.owners else None)

    def _whole(self, required: list[str], properties: dict[str, Any], others: dict[str, Any] | None) -> dict[str, Any]:
        labels: dict[str, Any] = {
            "type": "object",
            "required": required,
            "properties": {"$comment": True, **properties},
            "x-rule": {"type": "ST102", "required": "ST501"},
        }
        if others is not None:
            labels["additionalProperties"] = others
        schema: dict[str, Any] = labels
        for key in reversed(_PLACE):
            schema = {"type": "object", "properties": {key: schema}, "x-rule": {"type": "ST102", "required": "ST501"}}
            if self.declared and key != "harness":
                schema["required"] = [key]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Successor config",
            "description": "What the next version must keep of the labels declared so far.",
            **schema,
        }

    def successor_of(self, agent: Mapping[str, Any]) -> dict[str, Any]:
        """The agent schema and the successor schema as one, for an editor."""
        successor = {key: value for key, value in self.schema().items() if key != "$schema"}
        whole = {key: value for key, value in agent.items() if key != "$id"}
        return {**whole, "allOf": [*agent.get("allOf", ()), successor]}

    def _kept(self, name: str) -> dict[str, Any]:
        number, version = self.declared[name]
        message = f"label {quote(name)} has number {number} since version {version}, and keeps it"
        return {"const": number, "x-rule": {"const": "ST502"}, "errorMessage": message}

    def _taken(self, number: int) -> dict[str, Any]:
        name, version = self.owners[number]
        message = f"number {number} belongs to label {quote(name)} since version {version}"
        return {"not": {"const": number}, "x-rule": {"not": "ST503"}, "errorMessage": message}

    def problems(self, config: Any, version: int | None = None) -> list[Problem]:
        """What the successor schema finds wrong with `config`, which would be `version`: one problem a cause.

        What the version before did in the same way is that version's problem, not this one's again. A number that two
        labels of `config` share is ST401 and is left to it.
        """
        now, present = declared_labels(config), _labels(config)
        suspects = self._suspects(now, present)
        if suspects is None:
            return []
        from .validator import validator

        gone: dict[Pointer, list[str]] = {}
        wrong: dict[str, int] = {}
        taken: dict[str, int] = {}
        shared = Counter(now.values())
        for error in validator(suspects).iter_errors(config):
            pointer = tuple(error.absolute_path)
            if error.validator == "required":
                gone[pointer] = [name for name in suspects["x-gone"] if name not in present]
            elif error.validator in ("const", "not"):
                label = str(pointer[-2])
                if label in now and shared[now[label]] == 1:
                    (wrong if error.validator == "const" else taken)[label] = now[label]
        new = {label: number for label, number in wrong.items() if self._latest.get(label) != number}
        here = "this version" if version is None else f"version {version}"
        return _Wording(self, f"in {here}", now).problems(gone, wrong, new, taken)

    def _suspects(self, now: Mapping[str, int], present: Mapping[str, Any]) -> dict[str, Any] | None:
        """Of the successor schema the part that `now` may break; None if the version breaks nothing anew.

        It judges these labels as the whole schema does, and its size is that of what changed: checking a chain costs
        no more than reading it. Of a label's number only the one owner that the number has can be wronged.
        """
        gone = [name for name in self._latest if name in self.declared and name not in present]
        wrong = [name for name, number in now.items() if name in self.declared and self.declared[name].number != number]
        taken = [name for name, number in now.items() if name not in self.declared
                 and number in self.owners and self._latest.get(name) != number]  # fmt: skip
        if not (gone or taken or any(self._latest.get(name) != now[name] for name in wrong)):
            return None
        properties = {name: {"properties": {"number": self._kept(name)}} for name in wrong}
        properties |= {name: {"properties": {"number": self._taken(now[name])}} for name in taken}
        return {**self._whole(gone, properties, None), "x-gone": gone}


class _Wording:
    """Words what jsonschema found about the labels of one version: what was dropped, changed, taken."""

    def __init__(self, labels: Labels, here: str, now: Mapping[str, int]) -> None:
        self._labels = labels
        self._here = here
        self._used = {*labels.owners, *now.values()}
        self._ringless: set[str] = set()  # from these no ring is reached: each label is followed once

    def problems(
        self, gone: dict[Pointer, list[str]], wrong: dict[str, int], new: dict[str, int], taken: dict[str, int]
    ) -> list[Problem]:
        """`wrong` are the labels with another number than theirs, `new` those of them that this version changed."""
        found = []
        missing = {name for names in gone.values() for name in names}
        for name, number in taken.items():
            renamed = self._labels.owners[number].name in missing
            found.append(self._taken(name, number, renamed=renamed))
            missing.discard(self._labels.owners[number].name)
        seen: set[str] = set()
        for name in new:
            if name not in seen:
                ring = self._trade(name, wrong, seen)
                found.append(self._traded(ring, wrong) if ring else self._changed(name, wrong))
        for pointer, names in gone.items():
            left = [name for name in names if name in missing]
            if pointer == _PLACE:
                found += [self._gone(pointer, [name]) for name in left]
            elif left:
                found.append(self._gone(pointer, left))
        return found

    def _trade(self, first: str, wrong: dict[str, int], seen: set[str]) -> list[str]:
        """The labels that traded their numbers in a ring, from `first`; none if it is in no ring.

        Part of the ring may have been traded by an earlier version. Those of a ring are added to `seen`, so is `first`.
        """
        ring = [first]
        inside = {first}
        while (owner := self._labels.owners.get(wrong[ring[-1]])) is not None:
            if owner.name == first:
                seen |= inside
                return ring
            if owner.name in inside:  # it leads into a ring, and is not in it
                inside = set(ring[: ring.index(owner.name)])
                break
            if owner.name not in wrong or owner.name in self._ringless:
                break
            ring.append(owner.name)
            inside.add(owner.name)
        self._ringless |= inside
        seen.add(first)
        return []

    def _taken(self, name: str, number: int, *, renamed: bool) -> Problem:
        owner = self._labels.owners[number]
        free = self._unused()
        if renamed:
            said = (
                f"label {quote(owner.name)} of version {owner.version} is renamed to {quote(name)} {self._here}: "
                f"number {number} stays with the name {quote(owner.name)}; keep the name, or declare both, "
                f"{quote(name)} with number {free}"
            )
        else:
            said = (
                f"number {number} belongs to label {quote(owner.name)} since version {owner.version}, and "
                f"{self._here} to {quote(name)}; write {free}, which is free"
            )
        there = Elsewhere(owner.version, _number(owner.name), "value", f"{quote(owner.name)} has number {number} here")
        fix = None if renamed else Fix("write", str(free))
        return Problem(_number(name), "value", "ST503", said, "successor", fix=fix, elsewhere=(there,))

    def _unused(self) -> int:
        """A number that is nobody's and never was, another each time: above all others, as far as numbers go."""
        last = max(self._used)
        free = last + 1 if last < _LARGEST else next(number for number in count(1) if number not in self._used)
        self._used.add(free)
        return free

    def _changed(self, name: str, changed: dict[str, int]) -> Problem:
        number, version = self._labels.declared[name]
        said = f"label {quote(name)} has number {number} since version {version}, and {changed[name]} {self._here}"
        owner = self._labels.owners.get(changed[name])
        if owner is not None and owner.name != name:
            said += f", which belongs to {quote(owner.name)}"
        return Problem(
            _number(name),
            "value",
            "ST502",
            said,
            "successor",
            fix=Fix("write", str(number)),
            elsewhere=(self._declared(name),),
        )

    def _traded(self, ring: list[str], changed: dict[str, int]) -> Problem:
        said = alternatives([quote(name) for name in ring], "and")
        numbers = alternatives([str(self._labels.declared[name].number) for name in ring], "and")
        verb = "swapped" if len(ring) == 2 else "traded"
        elsewhere = [
            Elsewhere(None, _number(name), "value", f"{quote(name)} has number {changed[name]} here")
            for name in ring[1:]
        ]
        elsewhere += [self._declared(name) for name in ring]
        message = f"labels {said} {verb} their numbers {numbers} {self._here}"
        return Problem(_number(ring[0]), "value", "ST502", message, "successor", elsewhere=tuple(elsewhere))

    def _gone(self, pointer: Pointer, names: list[str]) -> Problem:
        declared = [self._labels.declared[name] for name in names]
        said = alternatives([f"{quote(name)} (number {each.number}, version {each.version})"
                             for name, each in zip(names, declared, strict=True)], "and")  # fmt: skip
        be, them = ("is", "it") if len(names) == 1 else ("are", "them")
        message = f"label{'s' * (len(names) > 1)} {said} {be} gone {self._here}: every later version keeps {them}"
        return Problem(
            pointer,
            "key",
            "ST501",
            message,
            "successor",
            elsewhere=tuple(self._declared(name, "key") for name in names),
            about=tuple(names),
        )

    def _declared(self, name: str, at: Literal["key", "value"] = "value") -> Elsewhere:
        number, version = self._labels.declared[name]
        pointer = _number(name) if at == "value" else (*_PLACE, name)
        return Elsewhere(version, pointer, at, f"{quote(name)} has number {number} here")
