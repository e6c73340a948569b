"""Settings files: which one holds for a file, what it may say, and how what is wrong in it is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seatrial import schemas
from seatrial.linter.discover import discover
from seatrial.linter.settings import NONE, Nearest, Settings, UnusableError
from seatrial.linter.settings.load import load

HEADER = "[tool.seatrial]\n"


def make(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ignored(settings: Settings) -> tuple[str, ...]:
    return settings.choice.ignore


def wrong(folder: Path, text: str) -> list[str]:
    """What is said of a settings file, without its name."""
    path = make(folder, "seatrial.toml", text)
    with pytest.raises(UnusableError) as told:
        load(str(path))
    return [line.split("seatrial.toml:")[1] for line in told.value.problems]


class TestNearest:
    def test_the_nearest_folder_upwards_decides_and_nothing_is_merged(self, tmp_path: Path) -> None:
        make(tmp_path, "seatrial.toml", 'ignore = ["ST1"]\nselect = ["ST"]\n')
        make(tmp_path, "a/seatrial.toml", 'ignore = ["ST2"]\n')
        nearest = Nearest()
        assert ignored(nearest.of(str(tmp_path / "v1.json"))) == ("ST1",)
        assert ignored(nearest.of(str(tmp_path / "b" / "c" / "v1.json"))) == ("ST1",)
        assert nearest.of(str(tmp_path / "a" / "c" / "v1.json")).choice == (("ST2",), ())[::-1]
        assert len(nearest.documents) == 2

    def test_in_one_folder_seatrial_toml_comes_first(self, tmp_path: Path) -> None:
        make(tmp_path, "pyproject.toml", HEADER + 'ignore = ["ST1"]\n')
        assert ignored(Nearest().of(str(tmp_path / "v1.json"))) == ("ST1",)
        make(tmp_path, "seatrial.toml", "")
        assert ignored(Nearest().of(str(tmp_path / "v1.json"))) == ()

    @pytest.mark.parametrize(
        "text", ["", "[project]\nname = 'a'\n", "[tool.other]\nseatrial = 1\n", "tool = 'seatrial'\n"]
    )
    def test_a_pyproject_without_the_table_does_not_count(self, tmp_path: Path, text: str) -> None:
        make(tmp_path, "seatrial.toml", 'ignore = ["ST1"]\n')
        path = make(tmp_path, "a/pyproject.toml", text)
        assert ignored(Nearest().of(str(tmp_path / "a" / "v1.json"))) == ("ST1",)
        with pytest.raises(UnusableError, match=r"holds no table \[tool.seatrial\]"):
            load(str(path), demanded=True)

    def test_a_pyproject_that_does_not_name_seatrial_is_not_parsed(self, tmp_path: Path) -> None:
        make(tmp_path, "pyproject.toml", "this is = = no TOML")
        assert Nearest().of(str(tmp_path / "v1.json")).document is None

    def test_a_folder_of_that_name_is_no_settings_file(self, tmp_path: Path) -> None:
        make(tmp_path, "seatrial.toml/x", "")
        assert Nearest().of(str(tmp_path / "v1.json")).document is None

    def test_a_link_is_where_it_was_named(self, tmp_path: Path) -> None:
        make(tmp_path, "a/seatrial.toml", 'ignore = ["ST1"]\n')
        make(tmp_path, "b/v1.json", "{}")
        (tmp_path / "a" / "v1.json").symlink_to(tmp_path / "b" / "v1.json")
        assert ignored(Nearest().of(str(tmp_path / "a" / "v1.json"))) == ("ST1",)

    def test_standard_input_and_bare_names_are_in_the_current_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make(tmp_path, "seatrial.toml", 'ignore = ["ST1"]\n')
        monkeypatch.chdir(tmp_path)
        assert ignored(Nearest().of("<stdin>")) == ignored(Nearest().of("v1.json")) == ("ST1",)

    def test_one_file_may_hold_for_all(self, tmp_path: Path) -> None:
        make(tmp_path, "seatrial.toml", 'ignore = ["ST1"]\n')
        only = load(str(make(tmp_path, "other/my.toml", 'ignore = ["ST2"]\n')))
        assert ignored(Nearest(only).of(str(tmp_path / "v1.json"))) == ("ST2",)
        assert Nearest(NONE).of(str(tmp_path / "v1.json")) == NONE


class TestWrongSettings:
    """Each is told with its line and column, all of one file at once."""

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('selct = ["ST1"]', '1:1: unknown key "selct"; did you mean "select"?'),
            ('a = 1\n[tool.seatrial]\nselect = ["ST1"]', '1:1: unknown key "a"; known here: select'),
            ('select = "ST1"', '1:10: expected a list, found the text "ST1"; write ["ST1"]'),
            ('ignore = ["ST1",\n  2]', "2:3: expected a text, found the number 2"),
            ("select = []", "1:10: at least 1 item is expected"),
            ('select = ["ST40l"]', '1:11: there is no rule "ST40l"; did you mean ST40'),
            ('[severity]\nST401 = "fatal"', '2:9: expected one of "error", "warning" or "info"'),
            ('severity.ST999 = "info"', '1:10: there is no rule "ST999"'),
            ("severity = 2020-01-01", "1:12: expected an object, found a Python date"),
            ('exclude = ["a["]', '1:12: the pattern "a[": [ is not closed'),
            ('include = ["/a"]', '1:12: the pattern "/a": it is absolute'),
            ('[per-file-ignores]\n"{a}" = ["ST1"]', '2:1: the pattern "{a}": braces mean nothing here'),
            ('[per-file-ignores]\n"a" = ["ST1:harness"]', '2:8: "harness" is no JSON Pointer'),
            ('[per-file-ignores]\n"a" = ["ST1:/a~b"]', '2:8: "/a~b" is no JSON Pointer'),
            ('[per-file-ignores]\n"a" = "ST1"', '2:7: expected a list, found the text "ST1"'),
            ("select = = 3", "1:10: not TOML: invalid value"),
        ],
    )
    def test_what_is_wrong_and_where(self, tmp_path: Path, text: str, told: str) -> None:
        assert wrong(tmp_path, text)[0].startswith(told)

    def test_everything_that_is_wrong_is_told_at_once(self, tmp_path: Path) -> None:
        assert len(wrong(tmp_path, 'select = ["ST99"]\nignore = ["ST98"]\nexclude = ["/"]\n')) == 3

    def test_in_a_pyproject_the_place_is_that_in_the_file(self, tmp_path: Path) -> None:
        path = make(tmp_path, "pyproject.toml", "[project]\nname = 'x'\n\n[tool.seatrial.severity]\nST999 = 'info'\n")
        with pytest.raises(UnusableError, match=r"pyproject\.toml:5:1: there is no rule"):
            load(str(path))

    def test_what_cannot_be_read_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "seatrial.toml").write_bytes(b"a = '\xff'")
        with pytest.raises(UnusableError, match=r"seatrial\.toml:1:6: not UTF-8"):
            Nearest().of(str(tmp_path / "v1.json"))
        with pytest.raises(UnusableError, match="cannot be read"):
            load(str(tmp_path / "gone.toml"))


def test_the_schemas_examples_are_valid_and_documented() -> None:
    schema = schemas.load("settings")
    for key, inner in schema["properties"].items():
        assert {"title", "description", "examples"} <= set(inner), key
        for example in inner["examples"]:
            assert schemas.problems("settings", {key: example}) == []


class TestDiscovery:
    @pytest.fixture
    def tree(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        for name in ("a/v1.json", "a/old/v1.json", "a/x.agent.json", "b/v2.yaml", "b/config.json", ".h/v1.json"):
            make(tmp_path, name, "{}")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_exclude_leaves_out_files_and_folders(self, tree: Path) -> None:
        make(tree, "seatrial.toml", 'exclude = ["old", "b/*.yaml"]\n')
        found = discover(["."], Nearest())
        assert found.files == ["a/v1.json", "a/x.agent.json"]
        assert found.problems == []

    def test_include_stands_in_place_of_the_usual_names(self, tree: Path) -> None:
        make(tree, "seatrial.toml", 'include = ["b/*.json", "*.agent.json"]\n')
        assert discover(["."], Nearest()).files == ["a/x.agent.json", "b/config.json"]

    def test_each_folder_obeys_its_own_settings(self, tree: Path) -> None:
        make(tree, "a/seatrial.toml", 'exclude = ["v1.json"]\n')
        assert discover(["."], Nearest()).files == ["a/x.agent.json", "b/v2.yaml"]

    def test_what_is_named_is_linted_unless_exclude_is_forced(self, tree: Path) -> None:
        make(tree, "seatrial.toml", 'exclude = ["old"]\n')
        named = ["a/old/v1.json", "a/old", "b/v2.yaml", "-"]
        assert discover(named, Nearest()).files == ["-", "a/old/v1.json", "b/v2.yaml"]
        forced = discover(named, Nearest(), force_exclude=True)
        assert forced == (["-", "b/v2.yaml"], [])

    def test_a_folder_in_which_include_fits_nothing_says_so(self, tree: Path) -> None:
        make(tree, "seatrial.toml", 'include = ["*.none"]\n')
        assert discover(["."], Nearest()).problems == [
            ".: no config in this folder: `include` of its settings fits none"
        ]


def test_the_pages_example_is_sound_and_the_page_names_every_key(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "lint-settings.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    settings = load(str(make(tmp_path, "seatrial.toml", example)))
    assert settings is not None
    keys = set(schemas.load("settings")["properties"])
    assert keys == {
        key
        for line in page.splitlines()
        if line.startswith("| `")
        for key in re.findall("`([a-z-]+)`", line.split(" | ")[0])
    }
    assert settings.document is not None
    assert set(settings.document.value) == keys
