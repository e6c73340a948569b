"""One page that holds all it needs: no script, nothing from elsewhere, light or dark as its reader's system is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from seatrial.linter.report import counted
from seatrial.schemas.wording import printable

from ..crash import CRASH
from ..invariants import Violation
from ..invariants.grouping import grouped
from ..suite import Judgement, State
from ..trace import pointer_text
from .facts import LOST, SHOWN, by_invariant, facts, place

_WORDS: dict[State, str] = {"ok": "ok", "failed": "failed", "vacuous": "vacuous", "invalid": "invalid", "lost": "lost"}
_STYLE = """
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3b414c); --dim: light-dark(#5b6472, #9aa4b2);
  --good: light-dark(#146c2e, #6fd08c); --bad: light-dark(#b3261e, #ff8a80); --soft: light-dark(#f5f6f8, #22262d); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  background: light-dark(#fff, #16191e); color: light-dark(#1b1f24, #e4e7eb); }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; } code, .place { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .dim, .place { color: var(--dim); }
section.scenario { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px;
  padding: .8rem 1rem; margin: .8rem 0; }
.finding { background: var(--soft); border-radius: 6px; padding: .6rem .8rem; margin-top: .7rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .4rem 0 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ol { margin: 0; padding-left: 1.2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; } td { font-variant-numeric: tabular-nums; }
summary { cursor: pointer; } details ul { padding-left: 1.2rem; } details li { margin: .3rem 0; }
"""


def render(judgements: Sequence[Judgement]) -> str:
    """The page: what is wrong first, then what each invariant checked, then what is well, folded away.

    It is ASCII: any stream can carry it.
    """
    wrong = [each for each in judgements if each.state != "ok"]
    well = [each for each in judgements if each.state == "ok"]
    lines = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_headline(judgements)} - seatrial run</title>",
        f"<style>{_STYLE}</style>\n</head>\n<body>",
        "<h1>seatrial run</h1>",
        f'<p class="{"bad" if wrong else "good"}">{_headline(judgements)}</p>',
    ]
    if wrong:
        lines.append("<h2>Not ok</h2>")
        for judgement in wrong:
            lines += _wrong(judgement)
    lines += _invariants(judgements)
    if well:
        lines += ["<h2>Ok</h2>", f"<details><summary>{counted(len(well), 'scenario')}</summary>", "<ul>"]
        for judgement in well:
            lines += _well(judgement)
        lines += ["</ul>", "</details>"]
    lines.append("</body>\n</html>")
    page = "".join(f"{line}\n" for line in lines)
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _headline(judgements: Sequence[Judgement]) -> str:
    states = [judgement.state for judgement in judgements]
    counts = ", ".join(f"{states.count(state)} {word}" for state, word in _WORDS.items() if state in states)
    turns = sum(judgement.turns for judgement in judgements)
    return f"{counted(len(states), 'scenario')}, {counted(turns, 'turn')}: {counts}"


def _wrong(judgement: Judgement) -> Iterator[str]:
    yield '<section class="scenario">'
    yield f'<h3><span class="bad">{_WORDS[judgement.state]}</span> {_text(judgement.scenario)}</h3>'
    yield f'<div class="place">{_text(str(judgement.path))}</div>'
    for each in judgement.diagnostics:
        where = f"{each.path}:{each.span.line}:{each.span.column}"
        yield from _finding(f"{each.severity} {each.code}", where, [("", each.message)], bad=each.severity == "error")
    for crash in judgement.crashes:
        where = place(judgement, pointer_text(crash.step))
        yield from _finding(CRASH, where, [("", line) for line in crash.lines])
    for failure in judgement.failures:
        step = pointer_text(failure.pointer)
        told = [("expected", failure.expected), ("seen", failure.seen)]
        yield from _finding("An expectation does not hold", f"{place(judgement, step)} {step}", told)
    for invariant, groups in grouped(judgement.verdicts).items():
        for group in groups[:SHOWN]:
            yield from _violation(judgement, group)
        if len(groups) > SHOWN:
            yield f"<p>… and {len(groups) - SHOWN} more violations of {_text(invariant)}</p>"
    for name in judgement.vacuous:
        told = [("", "It is asked for, and had nothing to check.")]
        yield from _finding(f"{name} is vacuous", str(judgement.path), told)
    if judgement.state == "lost":
        yield from _finding("No verdict", str(judgement.path), [("", LOST)])
    yield from _notes(judgement)
    yield "</section>"


def _violation(judgement: Judgement, group: Sequence[Violation]) -> Iterator[str]:
    violation = group[0]
    told = [(word, said) for word, said in facts(group).items() if word != "path"]
    title = f"{violation.invariant} is violated ({violation.clause})"
    yield from _finding(title, place(judgement, violation.step), told, violation.witness)


def _finding(
    title: str, where: str, told: Sequence[tuple[str, str]], path: Sequence[str] = (), *, bad: bool = True
) -> Iterator[str]:
    """`bad` is what the scenario fails by: a warning is none."""
    yield f'<div class="finding"><strong class="{"bad" if bad else "dim"}">{_text(title)}</strong>'
    yield f'<div class="place">{_text(where)}</div><dl>'
    for word, said in told:
        yield f"<dt>{word}</dt><dd>{_text(said)}</dd>"
    if path:
        hops = "".join(f"<li>{_text(hop)}</li>" for hop in path)
        yield f"<dt>path</dt><dd><ol>{hops}</ol></dd>"
    yield "</dl></div>"


def _well(judgement: Judgement) -> Iterator[str]:
    probes = sum(verdict.probes for verdict in judgement.verdicts)
    about = f"{counted(judgement.turns, 'turn')}, {counted(probes, 'probe')}"
    yield f'<li>{_text(judgement.scenario)} <span class="dim">({about})</span>'
    yield f'<div class="place">{_text(str(judgement.path))}</div>'
    yield from _notes(judgement)
    yield "</li>"


def _notes(judgement: Judgement) -> Iterator[str]:
    for note in judgement.notes:
        where = f"{place(judgement, note.step)}: " if note.step else ""
        yield f'<div class="dim">note: {_text(where + note.message)}</div>'


def _invariants(judgements: Sequence[Judgement]) -> Iterator[str]:
    by_name = by_invariant(judgements)
    if not by_name:
        return
    yield '<h2>Invariants</h2>\n<p class="dim">In how many scenarios each holds, is violated, or had nothing to check; '
    yield "probes are how often something could have shown a violation.</p>"
    yield '<div class="wide"><table>\n<tr><th>invariant<th>holds<th>violated<th>unknown<th>probes</tr>'
    for name, verdicts in by_name.items():
        statuses = [verdict.status for verdict in verdicts]
        cells = [str(statuses.count(status) or "-") for status in ("holds", "violated", "unknown")]
        cells.append(str(sum(verdict.probes for verdict in verdicts) or "-"))
        row = ' class="bad"' if "violated" in statuses else ""
        yield f"<tr{row}><td>{_text(name)}" + "".join(f"<td>{cell}" for cell in cells) + "</tr>"
    yield "</table></div>"


def _text(text: str) -> str:
    return escape(printable(text))
