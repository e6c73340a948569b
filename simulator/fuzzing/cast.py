"""Who plays: the agents of the given configs, and what a next version of a config could be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

Config: TypeAlias = dict[str, Any]

TOOLS = ("add_memory", "read_memory", "delete_memory")
KINDS = ("guidance", "fact", "event", "reference")


@dataclass(frozen=True)
class Version:
    """A config, and what stands for it in a script: a path, or the config itself."""

    config: Config
    written: str | Config


@dataclass(frozen=True)
class Role:
    """An agent with its versions in order."""

    name: str
    versions: tuple[Version, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Of its versions, as their configs state them; 1 where one states none."""
        return tuple(int(version.config.get("version", 1)) for version in self.versions)

    @property
    def sessions(self) -> bool:
        return bool(self.versions[0].config.get("sessions", True))


def roles(configs: Iterable[Mapping[str, Any]]) -> tuple[Role, ...]:
    """The agents of config documents: those that name one agent, or none, are its versions in order."""
    chains: dict[str, list[Version]] = {}
    for config in configs:
        plain = deepcopy(dict(config))
        chains.setdefault(str(plain.get("agent", "agent")), []).append(Version(plain, plain))
    return tuple(Role(name, tuple(versions)) for name, versions in chains.items())


def memory(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """A config's memory settings; empty where memory is not enabled."""
    found: Mapping[str, Any] = config["harness"].get("memory", {})
    return found if found.get("enabled") else {}


def kinds(config: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(memory(config).get("kinds", KINDS))


def labels(config: Mapping[str, Any]) -> dict[str, Any]:
    return {name: label for name, label in memory(config).get("labels", {}).items() if name != "$comment"}


def offered(config: Mapping[str, Any]) -> frozenset[str]:
    """The tools that a version offers."""
    found = {"read_result"}
    if config["harness"].get("history", {}).get("index") and config.get("sessions", True):
        found.add("search_history")
    if memory(config):
        found |= {"search_memory", *(tool for tool in memory(config).get("tools", ()) if tool in TOOLS)}
    return frozenset(found)


def reads(config: Mapping[str, Any]) -> Sequence[str]:
    """The scopes that a version reads."""
    found: Sequence[str] = memory(config).get("scope", {}).get("read", ("session",))
    return found


def writes(config: Mapping[str, Any]) -> Sequence[str]:
    """The scopes that a version writes."""
    found: Sequence[str] = memory(config).get("scope", {}).get("write", ("session",))
    return found


def reads_its_writes(config: Mapping[str, Any]) -> bool:
    """Whether a turn reads what it writes where it states no scope."""
    scope = "session" if "session" in writes(config) else "agent"
    return scope in reads(config) and scope in writes(config)


def reviews_each_turn(config: Mapping[str, Any]) -> bool:
    """Whether each turn is reviewed at its end."""
    return bool(memory(config).get("extraction", {}).get("every", "turn") == "turn")


def calls(config: Mapping[str, Any]) -> int:
    """The model calls that a turn may make."""
    return int(config.get("limits", {}).get("model_calls", 50))


def changed(config: Mapping[str, Any], changes: Iterable[str]) -> Config:
    """The config as the next version would state it with `changes`, each where it applies. It has no number."""
    found = deepcopy(dict(config))
    found.pop("version", None)
    for change in changes:
        CHANGES[change](found)
    if "delete_memory" in memory(found).get("tools", ()) and not {*reads(found)} & {*writes(found)}:
        found["harness"]["memory"]["tools"].remove("delete_memory")  # it could do nothing, which is an error (ST205)
    return found


def _enabled(config: Config) -> Config:
    settings: Config = config["harness"].setdefault("memory", {})
    settings["enabled"] = True
    if not config.get("sessions", True):
        settings["scope"] = {"read": ["agent"], "write": ["agent"]}
    return settings


def _scopes(**scopes: list[str]) -> Callable[[Config], None]:
    def change(config: Config) -> None:
        settings = _enabled(config)
        if config.get("sessions", True):
            settings["scope"] = {**settings.get("scope", {}), **scopes}

    return change


def _setting(**settings: Any) -> Callable[[Config], None]:
    """Settings of memory; None takes one away."""

    def change(config: Config) -> None:
        found = _enabled(config)
        found.update(deepcopy(settings))
        for name in [name for name, value in settings.items() if value is None]:
            del found[name]

    return change


def _harness(name: str, value: Any) -> Callable[[Config], None]:
    def change(config: Config) -> None:
        config["harness"][name] = deepcopy(value)

    return change


def _limit(config: Config) -> None:
    config["limits"] = {"model_calls": 3}


def _label_added(config: Config) -> None:
    declared = _enabled(config).setdefault("labels", {})
    numbers = [label["number"] for label in labels(config).values()]
    declared.setdefault(
        f"topic_{len(numbers)}", {"number": max(numbers, default=0) + 1, "description": "What it is about."}
    )


def _label_renumbered(config: Config) -> None:
    for label in list(labels(config).values())[:1]:
        label["number"] += 100


def _label_renamed(config: Config) -> None:
    declared = labels(config)
    for name in list(declared)[:1]:
        config["harness"]["memory"]["labels"] = {f"{name}_too" if each == name else each: label
                                                 for each, label in declared.items()}  # fmt: skip


def _labels_swapped(config: Config) -> None:
    pair = list(labels(config).values())[:2]
    if len(pair) == 2:
        pair[0]["number"], pair[1]["number"] = pair[1]["number"], pair[0]["number"]


def _labels_dropped(config: Config) -> None:
    memory_settings = config["harness"].get("memory", {})
    memory_settings.pop("labels", None)


def _kind_added(config: Config) -> None:
    declared = kinds(config)
    _enabled(config)["kinds"] = [*dict.fromkeys((*declared[:-1], "ruling", declared[-1]))]


# What a next version may change, in the order that failures prefer. Those that break the chain of labels are refused.
CHANGES: dict[str, Callable[[Config], None]] = {
    "all tools": _setting(tools=[*TOOLS]),
    "both scopes": _scopes(read=["session", "agent"], write=["session", "agent"]),
    "reads the session": _scopes(read=["session"]),
    "reads the agent": _scopes(read=["agent"]),
    "writes the session": _scopes(write=["session"]),
    "writes the agent": _scopes(write=["agent"]),
    "pins": _setting(pinned={"max_tokens": 400}),
    "few pins": _setting(pinned={"max_tokens": 60}),
    "no pins": _setting(pinned=None),
    "few tools": _setting(tools=["read_memory"]),
    "history of messages": _harness("history", {"index": "messages"}),
    "history of all": _harness("history", {"index": "messages_and_tools"}),
    "no history": lambda config: config["harness"].pop("history", None),
    "few calls": _limit,
    "results set aside": _harness("context", {"offload_threshold": 12}),
    "summaries": _harness("context", {"summarize_at": 60, "keep_messages": 1, "offload_threshold": 40}),
    "a label more": _label_added,
    "a label renumbered": _label_renumbered,
    "a label renamed": _label_renamed,
    "labels swapped": _labels_swapped,
    "labels dropped": _labels_dropped,
    "another kind": _kind_added,
    "reviews seldom": _setting(extraction={"every": {"messages": 4}}),
    "by keywords": _setting(search={"mode": "lexical", "max_results": 3}),
    "by meaning": _setting(search={"mode": "vector", "min_score": 0.0}),
    "no memory": lambda config: config["harness"].pop("memory", None),
}  # fmt: skip
