"""Patterns for files: what they fit, and what is no pattern."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter.settings.globs import Glob, problem


@pytest.mark.parametrize(
    ("pattern", "fits", "not_so"),
    [
        ("*.json", ["a.json", "a/b.json", ".json"], ["a.jsonx", "a.json/b", "json"]),
        ("v[0-9].json", ["v1.json", "x/v2.json"], ["v10.json", "vx.json"]),
        ("v[!0-9].json", ["vx.json"], ["v1.json", "v/.json"]),
        ("a?c", ["abc", "x/abc"], ["ac", "a/c"]),
        ("a/*.json", ["a/b.json"], ["x/a/b.json", "a/b/c.json"]),
        ("./b.json", ["b.json"], ["a/b.json"]),
        ("a/**/c", ["a/c", "a/b/c", "a/b/b/c"], ["a/bc", "ac", "x/a/c"]),
        ("**/c", ["c", "a/c", "a/b/c"], ["a/bc"]),
        ("a/**", ["a/b", "a/b/c"], ["a", "ab"]),
        ("a.b+(c)", ["a.b+(c)"], ["axb+(c)", "a.bb(c)"]),
        ("a*b*c", ["abc", "axbxc", "abbc", "abcbc"], ["ab", "acb", "a/bc"]),
        ("old/", ["old", "x/old"], ["older"]),
        ("[]]", ["]"], ["["]),
        ("[a^]", ["^", "a"], ["b"]),
        ("ä*", ["äx\n"], ["a"]),
    ],
)
def test_what_a_pattern_fits(pattern: str, fits: list[str], not_so: list[str]) -> None:
    assert problem(pattern) is None
    assert [path for path in fits if not Glob(pattern).fits(path)] == []
    assert [path for path in not_so if Glob(pattern).fits(path)] == []


def test_a_folder_covers_what_lies_in_it() -> None:
    assert Glob("old").covers("a/old/b/v1.json")
    assert Glob("a/old").covers("a/old/b/v1.json")
    assert not Glob("a/old").covers("b/a/old/v1.json")
    assert not Glob("old").covers("older/v1.json")
    assert not Glob("old").fits("old/v1.json")


@pytest.mark.parametrize(
    "pattern", ["", "/", "/a", "a\\b", "{a,b}", "a//b", "../a", "a/./b", "a[", "[z-a]", "a**", "**a/b", "a/[b/c]"]
)
def test_what_is_no_pattern_is_told(pattern: str) -> None:
    assert problem(pattern)


def test_many_stars_take_no_time() -> None:
    assert not Glob("*a" * 40 + "b").fits("a" * 4000)


@given(st.text("ab*?[]!-/.^\\{}", max_size=10), st.text("ab/.-]", max_size=10))
def test_every_pattern_is_either_told_or_usable(pattern: str, path: str) -> None:
    if problem(pattern) is None:
        glob = Glob(pattern)
        assert glob.covers(path) or not glob.fits(path)


@given(st.lists(st.text("ab.-", min_size=1, max_size=4).filter(lambda name: name.strip(".")), min_size=1, max_size=4))
def test_a_path_fits_itself(parts: list[str]) -> None:
    path = "/".join(parts)
    assert Glob(path).fits(path)
