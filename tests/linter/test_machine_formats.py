"""SARIF, GitHub's annotations and JUnit: each as its readers want it, whatever a config holds and is called."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import junitparser
import pytest
from findings import reports
from hypothesis import given
from sarif_schema import sarif_schema

from seatrial.linter import Diagnostic, Span, lint, read_text
from seatrial.linter.report import Format, Report, render

MACHINES: tuple[Format, ...] = ("sarif", "github", "junit")
V1 = '{"harness": {"memory": {"labels": {"a": {"number": 5, "description": "Which a."}}, "enabled": true}}}'
V2 = '{"harness": {"memory":\n  {"labels": {"a": {"number": 6, "description": "Which a."}}, "enabled": true}}}'
CHAIN = Report(
    documents := [read_text(V1, path="a b/v1.json"), read_text(V2, path="a b/v2.json")],
    lint(documents),
    problems=["gone.json: no such file or folder"],
)


def sarif(report: Report) -> dict[str, Any]:
    """The one run of the report's log."""
    (run,) = json.loads(render(report, "sarif", color=False))["runs"]
    assert isinstance(run, dict)
    return run


def one(text: str, path: str = "v1.json", **changes: Any) -> Report:
    documents = [read_text(text, path=path)]
    return Report(documents, lint(documents), **changes)


@pytest.fixture(scope="module")
def official() -> jsonschema.protocols.Validator:
    schema = sarif_schema()
    validator: jsonschema.protocols.Validator = jsonschema.Draft4Validator(schema, format_checker=None)
    return validator


def test_sarif_is_valid_by_the_official_schema(official: jsonschema.protocols.Validator) -> None:
    official.validate(json.loads(render(CHAIN, "sarif", color=False)))
    assert not official.is_valid({"version": "2.1.0"})


@given(report=reports())
def test_sarif_of_any_report_is_valid(official: jsonschema.protocols.Validator, report: Report) -> None:
    official.validate(json.loads(render(report, "sarif", color=False)))


@given(report=reports())
def test_sarif_of_any_report_names_what_there_is(report: Report) -> None:
    text = render(report, "sarif", color=False)
    assert text.isascii()
    assert text == render(report, "sarif", color=True)
    (run,) = json.loads(text)["runs"]
    for result, each in zip(run["results"], report.diagnostics, strict=True):
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == each.code
    prints = [result["partialFingerprints"]["seatrial/v2"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    for place in locations(run):
        uri = place["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9/._~%:-]+", uri)
        assert ("uriBaseId" in place["artifactLocation"]) == (not uri.startswith(("file:///", "%3Cstdin%3E")))


def locations(run: dict[str, Any]) -> list[dict[str, Any]]:
    return [place["physicalLocation"] for result in run["results"]
            for place in [*result["locations"], *result.get("relatedLocations", [])]]  # fmt: skip


def test_sarif_says_what_the_finding_says() -> None:
    run = sarif(CHAIN)
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("ST502", "error")
    (place, other) = locations(run)
    assert place["artifactLocation"] == {"uri": "a%20b/v2.json", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2, "startColumn": 31, "endLine": 2, "endColumn": 32}
    assert other["artifactLocation"]["uri"] == "a%20b/v1.json"
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0] == {
        "deletedRegion": place["region"], "insertedContent": {"text": "5"},
    }  # fmt: skip
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["name"] == "number-changed"
    assert "**Bad**" in rule["help"]["markdown"]
    assert run["originalUriBaseIds"].keys() == {"%SRCROOT%"}


def test_sarif_takes_away_a_whole_line_and_says_what_is_safe() -> None:
    text = "harness:\n  memory:\n    enabled: true\n    tools:\n    - read_memory\n    - search_memory\n    model: 5\n"
    document = read_text(text, path="v1.yaml")
    model, tool = [result["fixes"][0] for result in sarif(Report([document], lint([document])))["results"]][::-1]
    (removal,) = tool["artifactChanges"][0]["replacements"]
    assert removal == {"deletedRegion": {"startLine": 6, "startColumn": 1, "endLine": 7, "endColumn": 1}}
    assert (tool["description"]["text"], tool["properties"]) == ("Remove it", {"safe": True})
    assert model["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": '"5"'}
    assert (model["description"]["text"], model["properties"]) == ('Write "5", if that was meant', {"safe": False})


def test_a_message_in_sarif_names_the_key() -> None:
    """Its reader sees the message before the source."""
    log = sarif(one("harness: {memory: {enabled: 3}}\nmemori: {}\n", "v1.yaml"))
    assert [each["message"]["text"] for each in log["results"]] == [
        "enabled: expected true or false, found the number 3",
        'unknown key "memori"; known here: agent, version, sessions, model, limits, harness',
    ]


def test_sarif_gives_no_fix_where_the_text_is_left_to_people() -> None:
    document = read_text("harness: {memory: {enabled: !!str true}}", path="v1.yaml")
    (result,) = sarif(Report([document], lint([document])))["results"]
    assert "fixes" not in result


def test_sarif_counts_columns_in_code_points() -> None:
    """sarif-vscode-extension#582, gitleaks#1962, lintr#2550."""
    run = sarif(one('{"harness": {}, "😀顧": 1}'))
    assert run["columnKind"] == "unicodeCodePoints"
    (place,) = locations(run)
    assert (place["region"]["startColumn"], place["region"]["endColumn"]) == (17, 21)


def test_sarif_tells_what_could_not_be_read() -> None:
    (invocation,) = sarif(CHAIN)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "gone.json: no such file or folder"
    assert sarif(one('{"harness": {}}'))["invocations"][0]["executionSuccessful"] is True


def test_an_info_is_a_note_in_sarif_and_a_notice_on_github() -> None:
    info = Diagnostic("ST006", "info", "v1.json", Span(1, 1, 1, 2), (), "so be it")
    report = Report([], [info])
    assert sarif(report)["results"][0]["level"] == "note"
    assert render(report, "github", color=False).startswith("::notice ")


def test_a_message_in_sarif_is_neither_placeholder_nor_link() -> None:
    odd = Diagnostic("ST103", "error", "v1.json", Span(1, 1, 1, 2), (), 'found "{0} {x} [here](1)"')
    assert sarif(Report([], [odd]))["results"][0]["message"]["text"] == 'found "{{0}} {x} [here\\](1)"'


@pytest.mark.parametrize("form", MACHINES)
def test_paths_are_told_from_the_root(form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SwiftLint#5699: absolute paths in SARIF."""
    (tmp_path / "configs").mkdir()
    monkeypatch.chdir(tmp_path / "configs")
    absolute = render(one("[]", str(tmp_path / "configs" / "v1.json"), root=str(tmp_path)), form, color=False)
    assert absolute == render(one("[]", "v1.json", root=str(tmp_path)), form, color=False)
    assert "configs/v1.json" in absolute
    assert str(tmp_path) not in absolute


def test_a_file_outside_of_the_root_has_a_file_uri_in_sarif(tmp_path: Path) -> None:
    (place,) = locations(sarif(one("[]", str(tmp_path / "a:b%.json"), root=str(tmp_path / "sub"))))
    assert unquote(place["artifactLocation"]["uri"]) == f"file://{tmp_path}/a:b%.json"
    assert place["artifactLocation"].keys() == {"uri"}


@given(report=reports())
def test_github_reads_back_what_was_said(report: Report) -> None:
    commands = render(report, "github", color=False).splitlines()
    assert len(commands) == len(report.diagnostics) + len(report.problems)
    for command, each in zip(commands, report.diagnostics, strict=False):
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", command)
        assert match is not None
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        assert properties["title"].startswith(each.code)
        assert properties.keys() <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert ("col" in properties) == (each.path != "<stdin>" and each.span.line == each.span.end_line)
        assert re.fullmatch("([^%]|%25|%0A)*", match[3])


def test_github_annotations_are_escaped() -> None:
    odd = Diagnostic("ST103", "error", "a,b:c 100%.json", Span(3, 5, 3, 9), (), "100% of a: b, c")
    assert render(Report([], [odd]), "github", color=False) == (
        "::error file=a%2Cb%3Ac 100%25.json,line=3,endLine=3,col=5,endColumn=8,title=ST103 not-allowed::"
        "100%25 of a: b, c\n"
    )


def test_github_has_related_places_on_lines_of_their_own() -> None:
    first, last = render(CHAIN, "github", color=False).splitlines()
    assert first.endswith('and 6 in version 2%0Aa b/v1.json:1:52: "a" has number 5 here')
    assert last == "::error title=seatrial::gone.json: no such file or folder"


def test_github_has_no_file_for_standard_input() -> None:
    assert render(one("{}", "<stdin>"), "github", color=False) == (
        '::error title=ST104 missing-key::1:1: "harness" is missing\n'
    )


def cases(report: Report) -> dict[str, junitparser.TestCase]:
    """The test cases by name, as junitparser reads them."""
    return {case.name: case for suite in junitparser.JUnitXml.fromstring(junit(report)) for case in suite}


def junit(report: Report) -> bytes:
    return render(report, "junit", color=False).encode("ascii")


def test_junit_has_a_case_a_config_and_clean_ones_pass() -> None:
    found = cases(CHAIN)
    assert list(found) == ["a b/v1.json", "a b/v2.json", "gone.json: no such file or folder"]
    assert found["a b/v1.json"].is_passed
    (failure,) = found["a b/v2.json"].result
    assert isinstance(failure, junitparser.Failure)
    assert failure.type == "ST502"
    assert failure.message == '2:31: label "a" has number 5 since version 1, and 6 in version 2'
    assert failure.text == (
        'a b/v2.json:2:31: error ST502: label "a" has number 5 since version 1, and 6 in version 2\n'
        '  a b/v1.json:1:52: "a" has number 5 here'
    )
    (error,) = found["gone.json: no such file or folder"].result
    assert isinstance(error, junitparser.Error)


def test_a_warning_fails_a_junit_case_only_when_warnings_fail() -> None:
    text = "agent: on\nharness: {}\n"
    lenient = cases(one(text, "v1.yaml"))["v1.yaml"]
    assert lenient.is_passed
    assert "ST006" in lenient.system_out
    assert not cases(one(text, "v1.yaml", failing=("error", "warning")))["v1.yaml"].is_passed


@given(report=reports())
def test_junit_of_any_report_is_read_by_junitparser(report: Report) -> None:
    """schemathesis#4794: a control character broke the file."""
    root = ET.fromstring(junit(report))
    (suite,) = root
    read = [case for each in junitparser.JUnitXml.fromstring(junit(report)) for case in each]
    files = {document.path for document in report.documents} | {each.path for each in report.diagnostics}
    failed = {each.path for each in report.diagnostics if each.severity in report.failing}
    assert len(read) == int(suite.get("tests", "")) == len(files) + len(report.problems)
    failures = [case for case in read if any(isinstance(each, junitparser.Failure) for each in case.result)]
    assert len(failures) == int(suite.get("failures", "")) == len(failed)
    assert int(suite.get("errors", "")) == len(report.problems)
    assert all(case.time is None for case in read)
