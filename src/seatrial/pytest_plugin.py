"""The pytest plugin: scenario files are tests, and the fixture `memory` is a memory system for a test.

Loaded by every pytest where seatrial is installed: what it needs is imported when it is needed. `-p no:seatrial` turns
it off. docs/pytest.md tells how it is used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from seatrial.simulator.load import Loader
    from seatrial.simulator.start import Start
    from seatrial.simulator.suite import Judgement
    from seatrial.testing.memory import Memory

# As in seatrial.simulator.discover, which is not loaded where no file is looked at; a test compares them.
_SUFFIXES = (".scenario.yaml", ".scenario.yml", ".scenario.json")
_LOADER = pytest.StashKey["Loader"]()
_STARTS = pytest.StashKey[Mapping[str, "Start"]]()
_MEMORY = pytest.StashKey[Mapping[str, "Start"]]()
_AGENTS = pytest.StashKey[tuple[str, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("seatrial")
    group.addoption("--no-scenarios", action="store_true", help="Collect no scenario files.")
    group.addoption(
        "--scenario-tag",
        action="append",
        default=[],
        metavar="TAG",
        help="Only scenarios with this tag, and invalid ones; given twice: either.",
    )
    group.addoption(
        "--scenario-config",
        action="append",
        default=[],
        metavar="[AGENT=]FILE",
        help="Start scenarios with this config in place of their own for the agent that it names, or for AGENT. "
        "May be given several times.",
    )
    parser.addini("scenario_config", "As --scenario-config, one a line, with paths from the root.", type="linelist")
    group.addoption(
        "--memory-config",
        default=None,
        metavar="[AGENT=]FILE",
        help="The config that the fixture `memory` deploys, for the agent that it names, or for AGENT.",
    )
    parser.addini("memory_config", "As --memory-config, with a path from the root.")


def pytest_configure(config: pytest.Config) -> None:
    """Reads the configs that are given before anything is collected: what is wrong with one is wrong with the whole."""
    config.stash[_MEMORY] = _given(config, "memory_config")
    config.stash[_STARTS] = {} if config.getoption("no_scenarios") else _given(config, "scenario_config")
    if config.stash[_STARTS]:
        config.pluginmanager.register(_Starts(config.stash[_STARTS]), "seatrial-starts")


def _given(config: pytest.Config, name: str) -> Mapping[str, Start]:
    """The configs that an option states, else the settings; their paths are from where that was written."""
    asked = config.getoption(name)
    stated = asked or config.getini(name)
    written = [stated] if isinstance(stated, str) and stated else stated
    if not written:
        return {}
    from seatrial.simulator.start import StartError, read_starts

    where = f"--{name.replace('_', '-')}" if asked else name
    base = config.invocation_params.dir if asked else config.rootpath
    try:
        return read_starts(written, base)
    except StartError as unusable:
        told = [
            f"{each.path}:{each.span.line}:{each.span.column}: {each.code} {each.message}" for each in unusable.errors
        ]
        paths = "" if told else f"; paths are from {base}"
        raise pytest.UsageError("\n".join([f"{where}: {unusable}{paths}", *told])) from unusable


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    if not file_path.name.endswith(_SUFFIXES) or parent.config.getoption("no_scenarios"):
        return None
    made: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
    return made


class ScenarioFile(pytest.File):
    """One file, one test. It is read when it runs, or where tags are asked for."""

    def collect(self) -> Iterator[pytest.Item]:
        name = next(self.path.name.removesuffix(end) for end in _SUFFIXES if self.path.name.endswith(end))
        item = ScenarioItem.from_parent(self, name=name)
        tags = self.config.getoption("scenario_tag")
        if tags:
            from seatrial.simulator.suite import read, selected

            if not selected(read(self.path, _loader(self.config)), "", tags):
                self.config.hook.pytest_deselected(items=[item])
                return
        yield item


class ScenarioItem(pytest.Item):
    """Passes where `seatrial run` says ok."""

    def runtest(self) -> None:
        from seatrial.simulator.suite import judge, read

        path = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        judgement = judge(read(path, _loader(self.config)))
        self.stash[_AGENTS] = judgement.agents
        if judgement.state != "ok":
            raise NotOk(judgement)
        if judgement.notes or judgement.diagnostics:
            self.add_report_section("call", "scenario", _text(judgement))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, NotOk):
            from seatrial.simulator.report.findings import headline

            # The first line is what pytest's short summary shows.
            return f"{headline(excinfo.value.judgement)}\n{_text(excinfo.value.judgement)}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


class _Starts:
    """Tells what scenarios start with, and what of it none does. Scenarios may run in other processes (xdist)."""

    def __init__(self, starts: Mapping[str, Start]) -> None:
        self.starts = starts
        self.ran = False
        self.agents: set[str] = set()

    def pytest_report_header(self) -> list[str]:
        return [f"scenarios start with: {', '.join(start.written for start in self.starts.values())}"]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        agents = item.stash.get(_AGENTS, None)
        if agents is not None:
            vars(report)["scenario_agents"] = agents  # goes with it to the process that tells
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        agents = getattr(report, "scenario_agents", None)
        self.ran = self.ran or agents is not None
        self.agents.update(agents or ())

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        from seatrial.simulator.start import unused

        for line in unused(self.starts, self.agents) if self.ran else ():
            terminalreporter.write_line(f"warning: scenario_config: {line}", yellow=True)


class NotOk(Exception):  # noqa: N818 - a test that fails, not an error
    """A scenario that is invalid, violated or vacuous."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(f"{judgement.path} is {judgement.state}")
        self.judgement = judgement


def _loader(config: pytest.Config) -> Loader:
    """One for all files, so that a config that several name is read once."""
    if _LOADER not in config.stash:
        from seatrial.simulator.load import Loader

        config.stash[_LOADER] = Loader(config.stash[_STARTS])
    return config.stash[_LOADER]


def _text(judgement: Judgement) -> str:
    from seatrial.simulator.report import text

    return "\n".join(text.scenario(judgement))


@pytest.fixture
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A memory system of the test's own, kept in memory, with the config of --memory-config deployed."""
    from seatrial.testing.memory import Memory

    with Memory() as made:
        for start in request.config.stash[_MEMORY].values():
            made.deploy(start.config, agent=start.agent)
        yield made
