"""A schema's findings with their places, and what is not told twice."""

from __future__ import annotations

from seatrial.linter import Document, Span, lint, read_text, schema_diagnostics


def read(text: str, path: str = "v1.yaml") -> Document:
    return read_text(text, path=path)


def told(document: Document) -> list[tuple[str, Span]]:
    return [(found.code, found.span) for found in schema_diagnostics(document, "agent")]


def codes(*documents: Document) -> list[str]:
    return [found.code for found in lint(documents)]


def test_a_finding_points_at_the_key_the_value_or_the_parent() -> None:
    document = read(
        "harness:\n"
        "  memry: {}\n"  # the key
        "  memory:\n"
        "    enabled: 1\n"  # the value
        "    labels:\n"
        "      a: {description: x}\n"  # the parent of what is missing
        "read: []\n"  # the key
    )
    assert told(document) == [
        ("ST101", Span(2, 3, 2, 8)),
        ("ST102", Span(4, 14, 4, 15)),
        ("ST104", Span(6, 7, 6, 8)),
        ("ST101", Span(7, 1, 7, 5)),
    ]


def test_json_and_yaml_give_the_same_findings() -> None:
    text = '{"harness": {"memory": {"enabled": "yes", "scope": {"read": ["all"]}}}, "x": 1}'
    ours = [(found.code, found.pointer, found.message) for found in schema_diagnostics(read(text, "v1.json"), "agent")]
    theirs = [(found.code, found.pointer, found.message) for found in schema_diagnostics(read(text), "agent")]
    assert ours == theirs
    assert len(ours) == 3


def test_any_schema_serves() -> None:
    schema = {"properties": {"turn": {"type": "string", "x-rule": {"type": "SC900"}}}}
    (found,) = schema_diagnostics(read("turn: [1]\n", "a.scenario.yaml"), schema)
    assert (found.code, found.severity, found.path, found.span) == (
        "SC900",
        "error",
        "a.scenario.yaml",
        Span(1, 7, 1, 10),
    )


def test_what_could_not_be_read_is_not_judged() -> None:
    assert told(read("harness: [\n")) == []


def test_what_reading_refused_is_not_judged_again() -> None:
    """One cause, one message."""
    assert codes(read('{"harness": {"memory": {"enabled": true, "search": {"min_score": NaN}}}}', "v1.json")) == [
        "ST001"
    ]
    assert codes(read("harness: {memory: {enabled: true, search: {min_score: .nan}}}\n")) == ["ST004"]
    assert codes(read("harness: {12: x}\n")) == ["ST004"]
    assert codes(read("harness: {memory: !mine {enable: 5}}\n")) == ["ST004"]


def test_the_last_of_two_equal_keys_is_still_judged() -> None:
    assert codes(read('{"harness": {"memory": {"enabled": true, "enabled": 5}}}', "v1.json")) == ["ST002", "ST102"]


def test_a_mistake_seen_through_an_alias_is_told_once_where_it_is_written() -> None:
    document = read("harness: {memory: {scope: {read: &s [sesion], write: *s}}}\n")
    assert told(document) == [("ST103", Span(1, 38, 1, 44))]


def test_a_value_that_yaml_1_1_reads_otherwise_is_not_told_twice() -> None:
    """linkml#1883."""
    assert codes(read("harness: {memory: {enabled: yes}}\n")) == ["ST102"]
    assert codes(read("agent: yes\nharness: {}\n")) == ["ST006"]


def test_maximum_is_exact_in_both_formats() -> None:
    """networknt/json-schema-validator#132."""
    text = '{"harness": {"memory": {"labels": {"a": {"number": 9007199254740992}}}}}'
    for path in ("v1.json", "v1.yaml"):
        (found,) = schema_diagnostics(read(text, path), "agent")
        assert (found.code, found.span) == ("ST103", Span(1, 52, 1, 68))
        assert "9007199254740991" in found.message


def test_hostile_names_do_not_reach_the_message_raw() -> None:
    for text in ('{"harness": {"\\u001b[31mred\\n": 1}}', '{"harness": {"\\u202eabc": 1}}'):
        (found,) = schema_diagnostics(read(text, "v1.json"), "agent")
        assert found.message.isprintable()
