"""The pytest plugin: scenario files are tests, and the fixture `memory` is a memory system for a test.

Loaded by every pytest where seatrial is installed: what it needs is imported when it is needed. `-p no:seatrial` turns
it off. docs/pytest.md tells how it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from seatrial.simulator.load import Loader
    from seatrial.simulator.suite import Judgement
    from seatrial.testing.memory import Memory

# As in seatrial.simulator.discover, which is not loaded where no file is looked at; a test compares them.
_SUFFIXES = (".scenario.yaml", ".scenario.yml", ".scenario.json")
_LOADER = pytest.StashKey["Loader"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("seatrial")
    group.addoption("--no-scenarios", action="store_true", help="Collect no scenario files.")
    group.addoption(
        "--scenario-tag",
        action="append",
        default=[],
        metavar="TAG",
        help="Only scenarios with this tag.",
    )
    group.addoption(
        "--memory-config", default=None, metavar="PATH", help="The config that the fixture `memory` deploys."
    )
    parser.addini("memory_config", "The config that the fixture `memory` deploys.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    if not file_path.name.endswith(_SUFFIXES) or parent.config.getoption("no_scenarios"):
        return None
    made: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
    return made


class ScenarioFile(pytest.File):
    """One file, one test. It is read when it runs, or where tags are asked for."""

    def collect(self) -> Iterator[pytest.Item]:
        tags = self.config.getoption("scenario_tag")
        if tags:
            from seatrial.simulator.suite import read, selected

            if not selected(read(self.path, _loader(self.config)), "", tags):
                return
        name = next(self.path.name.removesuffix(end) for end in _SUFFIXES if self.path.name.endswith(end))
        yield ScenarioItem.from_parent(self, name=name)


class ScenarioItem(pytest.Item):
    """Passes where `seatrial run` says ok."""

    def runtest(self) -> None:
        from seatrial.simulator.suite import judge, read

        path = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        judgement = judge(read(path, _loader(self.config)))
        if judgement.state != "ok":
            raise NotOk(judgement)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, NotOk):
            from seatrial.simulator.report import text

            return "\n".join(text.scenario(excinfo.value.judgement))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


class NotOk(Exception):  # noqa: N818 - a test that fails, not an error
    """A scenario that is invalid, violated or vacuous."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(f"{judgement.path} is {judgement.state}")
        self.judgement = judgement


def _loader(config: pytest.Config) -> Loader:
    """One for all files, so that a config that several name is read once."""
    if _LOADER not in config.stash:
        from seatrial.simulator.load import Loader

        config.stash[_LOADER] = Loader()
    return config.stash[_LOADER]


@pytest.fixture
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A memory system of the test's own, kept in memory, with the config of --memory-config deployed."""
    from seatrial.testing.memory import Memory

    asked = request.config.getoption("memory_config")
    stated = request.config.getini("memory_config")
    with Memory() as made:
        if asked:
            made.deploy(request.config.invocation_params.dir / asked)
        elif stated:
            made.deploy(request.config.rootpath / stated)
        yield made
