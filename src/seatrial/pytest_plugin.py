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
_DONE = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
_LOADER = pytest.StashKey["Loader"]()
_STARTS = pytest.StashKey[Mapping[str, "Start"]]()
_MEMORY = pytest.StashKey[Mapping[str, "Start"]]()
_AGENTS = pytest.StashKey[tuple[str, ...]]()
_USE = pytest.StashKey["_Use"]()


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
        action="append",
        default=[],
        metavar="[AGENT=]FILE",
        help="The config that the fixture `memory` deploys, for the agent that it names, or for AGENT.",
    )
    parser.addini("memory_config", "As --memory-config, with a path from the root.")


def pytest_configure(config: pytest.Config) -> None:
    """Reads the configs that are given before anything is collected: what is wrong with one is wrong with the whole."""
    if any(not tag.strip() for tag in config.getoption("scenario_tag")):
        raise pytest.UsageError("--scenario-tag: a tag is wanted, and none is there")
    config.stash[_MEMORY] = _given(config, "memory_config")
    if len(config.stash[_MEMORY]) > 1:
        several = " and ".join(start.written for start in config.stash[_MEMORY].values())
        raise pytest.UsageError(f"--memory-config: one is wanted, not {several}: a test may deploy others itself")
    config.stash[_STARTS] = _given(config, "scenario_config")
    if not config.getoption("no_scenarios"):
        config.stash[_USE] = _Use(config)
        config.pluginmanager.register(config.stash[_USE], "seatrial-use")


def _given(config: pytest.Config, name: str) -> Mapping[str, Start]:
    """The configs that an option states, else the settings; their paths are from where that was written."""
    asked = config.getoption(name)
    stated = asked or config.getini(name)
    written = [stated] if isinstance(stated, str) and stated else stated
    if not written:
        return {}
    from seatrial.schemas.wording import printable
    from seatrial.simulator.start import StartError, read_starts

    where = f"--{name.replace('_', '-')}" if asked else name
    for each in written:
        if not isinstance(each, str):
            raise pytest.UsageError(f"{where}: {each!r} is no text: [AGENT=]FILE is wanted")
    base = config.invocation_params.dir if asked else config.rootpath
    try:
        return read_starts(written, base)
    except StartError as unusable:
        told = [
            f"{each.path}:{each.span.line}:{each.span.column}: {each.code} {each.message}" for each in unusable.errors
        ]
        paths = "" if told else f"; paths are from {base}"
        lines = [f"{where}: {unusable}{paths}", *told]
        raise pytest.UsageError("\n".join(map(printable, lines))) from unusable


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
            from seatrial.simulator.suite import read, selected, unknown_tags

            scenario = read(self.path, _loader(self.config))
            use = self.config.stash[_USE]
            use.tags.update(scenario.tags)
            use.known.update({*tags} - {*unknown_tags([scenario], tags)})
            if not selected(scenario, "", tags):
                self.config.hook.pytest_deselected(items=[item])
                return
        yield item


class ScenarioItem(pytest.Item):
    """Passes where `seatrial run` says ok."""

    def runtest(self) -> None:
        from seatrial.simulator.suite import judge, read

        path = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        judgement = judge(read(path, _loader(self.config)))
        if judgement.state != "invalid":
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


class _Use:
    """What is made use of. A config that no scenario starts with is wrong use, and so are tags that none has.

    Scenarios may be collected and run in other processes (xdist), which hand this one what they know.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.starts = config.stash[_STARTS]
        self.agents: set[str] = set()
        self.collected = False  # whether there is a scenario that was not left out
        self.whole = not config.getoption("lf", False)  # whether each scenario was played
        self.tags: set[str] = set()  # of all scenarios, where tags are asked for
        self.known: set[str] = set()  # those asked for that a scenario has, or may have
        self.wrong: list[str] = []
        self.doubtful: list[str] = []

    def pytest_report_header(self) -> list[str]:
        starts = [start.written for start in self.starts.values()]
        return [f"scenarios start with: {', '.join(starts)}"] if starts else []

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.whole = self.whole and not any(isinstance(item, ScenarioItem) for item in items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, ScenarioItem) and (report.when == "call" or not report.passed):
            vars(report)["scenario_agents"] = item.stash.get(_AGENTS, None)  # goes with it to the process that tells
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        agents = getattr(report, "scenario_agents", ())
        self.whole = self.whole and agents is not None
        self.agents.update(agents or ())

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collected = any(isinstance(item, ScenarioItem) for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        collected, whole, tags, known = getattr(node, "workeroutput", {}).get("seatrial", (False, False, (), ()))
        self.collected, self.whole = self.collected or collected, self.whole and whole
        self.tags.update(tags)
        self.known.update(known)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["seatrial"] = (self.collected, self.whole, sorted(self.tags), sorted(self.known))
            return
        untold = [tag for tag in self.config.getoption("scenario_tag") if self.tags and tag not in self.known]
        if untold:
            there = ", ".join(sorted(self.tags))
            told = self.doubtful if self.collected else self.wrong
            told.append(f"--scenario-tag: no scenario has {', '.join(untold)}; their tags: {there}")
        if self.starts and not self.wrong and not self.config.getoption("collectonly"):
            self.look_for_unused(session)
        if self.wrong and exitstatus in _DONE:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def look_for_unused(self, session: pytest.Session) -> None:
        """Configs that no scenario started with. Where some were left out, theirs may be the agent."""
        from seatrial.simulator.start import unused

        asked = bool(self.config.getoption("scenario_config"))
        where = "--scenario-config" if asked else "scenario_config"
        told = [f"{where}: {line}" for line in unused(self.starts, self.agents)]
        # Settings are written for the whole suite, of which paths on the command line are a part.
        suite = asked or self.config.args_source != pytest.Config.ArgsSource.ARGS
        if self.whole and suite and (asked or self.collected) and not (session.shouldstop or session.shouldfail):
            self.wrong = told
        elif self.agents:
            self.doubtful += told

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self.wrong:
            terminalreporter.write_line(f"ERROR: {line}", red=True)
        for line in self.doubtful:
            terminalreporter.write_line(f"warning: {line}", yellow=True)


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
