"""junit, github and html: read by their readers, with what is wrong in them, and nothing of a text as markup."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import junitparser
import pytest

from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.load import Loader
from seatrial.simulator.report import github, html, junit
from seatrial.simulator.report.findings import findings
from seatrial.simulator.report.json import report
from seatrial.simulator.report.text import scenario, summary
from seatrial.simulator.suite import Judgement, judge, read

LEAK = Path(__file__).parents[2] / "scenarios" / "isolation" / "two-accounts.scenario.yaml"
GOOD = """scenario: "a <b>title</b>, 100% & \\u001b more ☃"
config: {harness: {memory: {enabled: true, tools: [add_memory]}}}
steps:
  - turn: a
    user: Hello
    do:
      - reply: Hello.
"""


@pytest.fixture
def judged(tmp_path: Path) -> list[Judgement]:
    """One that is ok, one that misses, one that is vacuous, one invalid, and one in which sessions leak."""
    texts = {
        "a": GOOD,
        "b": GOOD + "        sees: {text: Bonjour}\n",
        "c": GOOD.replace("steps", "tags: [session-isolation]\nsteps"),
        "d": GOOD.replace("reply", "replay"),
    }
    found = []
    for name, written in texts.items():
        path = tmp_path / f"{name}.scenario.yaml"
        path.write_text(written, encoding="utf-8")
        found.append(judge(read(path, Loader())))
    with altered(FAULTS["foreign-session-in-view"]):
        found.append(judge(read(LEAK, Loader())))
    return found


def test_junit_has_a_case_for_each_scenario(judged: list[Judgement], tmp_path: Path) -> None:
    text = junit.render(judged, str(tmp_path))
    (suite,) = junitparser.JUnitXml.fromstring(text.encode("ascii"))
    assert (suite.tests, suite.failures, suite.errors) == (5, 3, 1)
    cases = list(suite)
    assert [case.name for case in cases][:4] == [f"{name}.scenario.yaml" for name in "abcd"]
    results = [[type(result).__name__ for result in case.result] for case in cases]
    assert results == [[], ["Failure"], ["Failure"], ["Error"], ["Failure"]]
    messages = [case.result[0].message for case in cases[1:]]
    assert messages[:3] == [
        'expected a context that holds "Bonjour"',
        "session-isolation is asked for, and had nothing to check",
        'unknown key "replay"; did you mean "reply"?',
    ]
    assert "session-isolation (VIEW-2)" in cases[4].result[0].type
    assert "path     account-17 turn s0 -> add_memory" in cases[4].result[0].text
    assert "a <b>title</b>, 100% & \\x1b more ☃" in cases[0].system_out


def test_github_annotates_what_is_wrong_where_it_is(judged: list[Judgement], tmp_path: Path) -> None:
    lines = github.render(judged[:4], str(tmp_path)).splitlines()
    assert lines == [
        "::error file=b.scenario.yaml,line=8,endLine=8,col=16,endColumn=19,title=expectation::"
        'expected a context that holds "Bonjour"%0Aseen a context without it%0Aat /steps/0/do/0/sees/text'
        "%0Aa <b>title</b>, 100%25 & \\x1b more ☃",
        "::error file=c.scenario.yaml,title=vacuous::session-isolation is asked for, and had nothing to check"
        "%0Aa <b>title</b>, 100%25 & \\x1b more ☃",
        "::error file=d.scenario.yaml,line=7,endLine=7,col=9,endColumn=14,title=ST101::"
        'unknown key "replay"; did you mean "reply"?%0Aa <b>title</b>, 100%25 & \\x1b more ☃',
    ]
    leaks = github.render(judged[4:], str(LEAK.parent)).splitlines()
    assert all(line.startswith("::error file=two-accounts.scenario.yaml,") for line in leaks)
    assert any("title=session-isolation (VIEW-2)::observed recall in account-22" in line for line in leaks)


def test_json_has_each_observation_under_each_invariant_and_says_which_tells_it(judged: list[Judgement]) -> None:
    """Those that no other tells are what the other formats list."""
    (told,) = report(judged[4:])["scenarios"]
    violations = [(verdict["name"], each) for verdict in told["verdicts"] for each in verdict["violations"]]
    first = [(name, each) for name, each in violations if each["told_by"] is None]
    listed = {each.title for each in findings(judged[4])}
    assert {f"{name} ({each['clause']})" for name, each in first} == listed - {"expectation"}
    for name, each in violations:
        same = [other for other, seen in violations if seen["observation"] == each["observation"] and other != name]
        if each["told_by"] is None:
            assert set(each["also"]) <= set(same)
        else:
            assert each["told_by"] in same
    assert sum(len(each["also"]) for _, each in first) == len(violations) - len(first) > 0


def test_a_note_is_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "e.scenario.yaml"
    path.write_text(GOOD.replace("reply: Hello.", "search_memory: {}"), encoding="utf-8")
    (line,) = github.render([judge(read(path, Loader()))], str(tmp_path)).splitlines()
    assert line.startswith("::notice file=e.scenario.yaml,line=7,endLine=7,col=9,endColumn=25,title=note::")
    assert "the call was refused: blank_query" in line


def test_what_is_well_is_no_annotation(judged: list[Judgement]) -> None:
    assert github.render(judged[:1], ".") == ""


class Page(HTMLParser):
    """The tags of a page, and its texts."""

    VOID = ("meta",)
    LOOSE = ("td", "th", "dt", "dd", "li", "tr")  # their end may be left out

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.folded: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in (*self.VOID, *self.LOOSE):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.LOOSE:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if "details" in self.open:
            self.folded.append(data)


def test_html_is_one_page_that_shows_all(judged: list[Judgement]) -> None:
    text = html.render(judged)
    assert text.isascii()
    page = Page(text)
    assert page.open == []
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "b"})
    assert not any({"src", "href", "onclick", "style"} & attributes.keys() for _, attributes in page.tags)
    assert "url(" not in text
    assert "@import" not in text
    said = "".join(page.texts)
    assert "5 scenarios, 6 turns: 1 ok, 2 failed, 1 vacuous, 1 invalid" in said
    assert "session-isolation is violated (VIEW-2)" in said
    assert "because it belongs to session account-17" in said
    assert "a <b>title</b>, 100% & \\x1b more ☃" in "".join(page.folded)
    assert "failed" not in "".join(page.folded)
    rows = [tag for tag, _ in page.tags].count("tr")
    assert rows == 1 + len(judged[0].verdicts)


def test_a_warning_is_not_shown_as_what_it_fails_by(tmp_path: Path) -> None:
    path = tmp_path / "e.scenario.yaml"
    text = GOOD.replace("steps", "clauses: [VIEW-20]\nsteps") + "        sees: {text: Bonjour}\n"
    path.write_text(text, encoding="utf-8")
    page = html.render([judge(read(path, Loader()))])
    assert '<strong class="dim">warning SC402</strong>' in page
    assert '<strong class="bad">An expectation does not hold</strong>' in page


def test_a_page_where_all_is_well(judged: list[Judgement]) -> None:
    text = html.render(judged[:1])
    assert "Not ok" not in text
    assert '<p class="good">1 scenario, 1 turn: 1 ok</p>' in text


def test_more_violations_than_anybody_reads_are_counted(judged: list[Judgement]) -> None:
    (verdict,) = [each for each in judged[4].verdicts if each.name == "session-isolation"]
    found = tuple(replace(verdict.violations[0], line=line) for line in range(20))
    many = type(verdict)(verdict.name, "violated", verdict.checked, 20, found)
    told = Judgement(Path("a.scenario.yaml"), "a", "failed", verdicts=(many,))
    assert "15 more violations of session-isolation" in html.render([told])
    assert github.render([told], ".").count("::error") == 6


def test_one_observation_that_violates_several_invariants_is_told_once(judged: list[Judgement]) -> None:
    told = [*scenario(judged[4])]
    assert told.count("    observed recall in account-22 turn s1 call 1") == 1
    assert "    also     flow" in told
    assert any(line.startswith("    again    ") for line in told)
    assert not any("flow is violated" in line for line in told)
    assert [line for each in findings(judged[4]) for line in each.lines if line.startswith("also")][:1] == ["also flow"]


def test_what_a_preview_wrote_is_told_as_a_matter_of_planes() -> None:
    """VIEW-4: nothing crossed a session boundary, so session-isolation does not stand in front."""
    path = LEAK.parents[1] / "preview" / "a-preview-reads-live.scenario.yaml"
    with altered(FAULTS["preview-in-live-view"]):
        wrong = judge(read(path, Loader()))
    titles = [each.title for each in findings(wrong) if each.title != "expectation"]
    assert titles[0] == "plane-isolation (VIEW-4)"
    assert "session-isolation (VIEW-4)" not in titles
    assert "also session-isolation" in next(each.lines for each in findings(wrong) if each.title == titles[0])


def test_what_has_no_verdict_is_told_as_such(judged: list[Judgement]) -> None:
    lost = Judgement(Path("a.scenario.yaml"), "", "lost")
    suite = junitparser.JUnitXml.fromstring(junit.render([judged[0], lost], ".").encode("ascii"))
    assert (suite.tests, suite.failures, suite.errors) == (2, 0, 1)
    said = "what ran it died, twice: it has no verdict"
    assert github.render([lost], ".") == f"::error file=a.scenario.yaml,title=lost::{said}\n"
    page = html.render([judged[0], lost])
    assert "2 scenarios, 1 turn: 1 ok, 1 lost" in page
    assert said in page
    assert list(scenario(lost)) == ["LOST     a.scenario.yaml", f"  {said}"]
    assert list(summary([lost]))[-1] == "1 scenario, 0 turns: 1 lost"
