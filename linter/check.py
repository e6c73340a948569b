"""Everything the linter knows to ask of a set of configs, in order. One cause gives one finding."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .chain import Chain, Past, chained, claim, compared
from .diagnostic import Diagnostic, Pointer
from .document import Document
from .limit import limited, looked_for
from .repeated import Sound
from .schema_check import schema_diagnostics
from .selection import of_versions
from .settled import Settled, Unsound

if TYPE_CHECKING:
    from .rules import Rule

_LABELS = ("harness", "memory", "labels")


def lint(documents: Iterable[Document], opt_in: Collection[str] = (), *, past: Past | None = None) -> list[Diagnostic]:
    """The findings of all rules in the configs `documents`, by file, then by place; of a file as many as are told."""
    return limited(findings(documents, opt_in, past=past))


def findings(
    documents: Iterable[Document],
    opt_in: Collection[str] = (),
    *,
    past: Past | None = None,
    hindered: set[tuple[str, str]] | None = None,
) -> list[Diagnostic]:
    """All findings of all rules in the configs `documents`, by file, then by place.

    Reading comes first, then the agent schema, then the rules that look at one config, then the versions of each agent
    as a whole chain. A later one does not judge what an earlier one found wrong at the same place. Of the rules that
    must be asked for, those whose codes are in `opt_in` run. A document is parked once it has been judged, so
    `documents` may be read one by one. `past` is what a git revision holds (`revision.py`): configs are compared with
    it, and nothing is found in it. To `hindered` are added paths with the codes of rules that errors in the file kept
    from judging all of it.
    """
    from .rules import RULES

    judging = [rule for rule in RULES.values() if not rule.opt_in or rule.code in opt_in]
    first: list[Diagnostic] = []  # what reading and the schema find
    later: list[Diagnostic] = []
    claims = []
    sound = Sound()
    for document in documents:
        earlier = list(document.diagnostics)
        if document.value is not None:
            judged: list[Diagnostic] = []
            if earlier or not sound.surely(document.value):
                earlier += schema_diagnostics(document, "agent")
                config = Settled(document, earlier)
                for rule in judging:
                    config.lacked = False
                    judged += looked_for(_judged(rule, config))
                    if config.lacked and hindered is not None:
                        hindered.add((document.path, rule.code))
                if not earlier and not judged:
                    sound.add(document.value)
            later += judged
            if (claimed := claim(document, errors=earlier)) is not None:
                claims.append(claimed)
            document.park(keep_text=bool(earlier or judged))
        first += earlier
    for chain in chained(claims, past):
        later += along(chain, judging)
        if hindered is not None and chain.is_compared and chain.has_errors:
            hindered.update((each.path, code) for each in chain.documents for code in RULES if of_versions(code))
    found = _once_cut(_without_hints(first + _not_following(later, first)))
    return sorted(found, key=lambda each: each.order)


def along(chain: Chain, judging: list[Rule]) -> list[Diagnostic]:
    """What comparing the versions of an agent finds: among those of today, then in them against the past.

    The past only adds: what is found without it is found with it, and told the same.
    """
    if not chain.is_compared:
        return []
    today = chain.today if chain.before else chain
    found = _compared(today, judging)
    if chain.before:
        known: dict[tuple[object, ...], set[str]] = {}
        for each in found:
            known.setdefault((each.code, each.path, each.pointer), set()).update(each.about)
        for each in _compared(chain, judging):
            told = known.get((each.code, each.path, each.pointer))
            if told is None or not told.issuperset(each.about):
                found.append(each)
    for document in chain.documents:
        document.park(keep_text=True)
    return found


def _compared(chain: Chain, judging: list[Rule]) -> list[Diagnostic]:
    found = [each for rule in judging if rule.compare is not None for each in rule.compare(chain)]
    return found + compared(chain)


def _judged(rule: Rule, config: Settled) -> Iterator[Diagnostic]:
    """What the rule finds in the config, up to where it asks for what is not to be judged."""
    if rule.check is None:
        return
    try:
        yield from rule.check(config)
    except Unsound:
        return


def _not_following(later: list[Diagnostic], earlier: list[Diagnostic]) -> list[Diagnostic]:
    """Without what follows from an earlier error: at the same place, or a whole block gone that is only misspelt."""
    errors: dict[tuple[str, Pointer], bool] = {}  # and whether only the name there is wrong
    for each in earlier:
        if each.severity == "error":
            at = (each.path, each.pointer)
            errors[at] = errors.get(at, True) and each.code == "ST402"
    around = {(path, pointer[:-1]) for path, pointer in errors if pointer}

    def follows(each: Diagnostic) -> bool:
        block_gone = each.code == "ST501" and each.pointer != _LABELS
        at = (each.path, each.pointer)
        here = at in errors and (not errors[at] or each.code == "ST403")
        return bool(each.pointer) and (here or (block_gone and at in around))

    return [each for each in later if not follows(each)]


def _once_cut(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Of each file one finding at most that says that no more was looked for, however many stages say so."""
    told: set[str] = set()
    for each in found:
        if not each.cut:
            yield each
        elif each.path not in told:
            told.add(each.path)
            yield each


def _without_hints(found: list[Diagnostic]) -> list[Diagnostic]:
    """Without the warning that YAML 1.1 reads a value otherwise, where the value is an error anyway.

    That it is of a wrong type is what comes of the reading, and says so.
    """
    wrong = {(each.path, each.span) for each in found if each.code != "ST006"}
    hints = {(each.path, each.span): each.message for each in found if each.code == "ST006"}
    return [
        replace(each, message=f"{each.message}; {hints[each.path, each.span]}")
        if each.code == "ST102" and (each.path, each.span) in hints
        else each
        for each in found
        if each.code != "ST006" or (each.path, each.span) not in wrong
    ]
