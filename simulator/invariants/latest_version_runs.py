"""latest-version-runs: a turn runs the version that was deployed last when it began."""

from __future__ import annotations

from .events import Begin, Deploy
from .examples import HEADER, begin, deploy, end
from .history import History
from .model import read
from .verdict import Invariant, Verdict, Violation, broken

NAME = "latest-version-runs"


def check(history: History) -> Verdict:
    """Each turn that began beside the deploys before it: a live turn runs what is live, a preview the latest."""
    turns = read(history).turns
    latest: dict[tuple[str, str], int] = {}
    found: list[Violation] = []
    begun = promoted = 0
    for event in history.events:
        if isinstance(event, Deploy) and event.version is not None and event.error is None:
            promoted += (event.agent, event.plane) in latest
            for plane in ("live", "preview") if event.plane == "live" else ("preview",):
                latest[event.agent, plane] = event.version
        elif isinstance(event, Begin) and event.error is None and event.version is not None:
            version = latest.get((event.agent, event.plane))
            begun += version is not None
            if version not in (None, event.version):
                turn = turns[event.turn]
                why = f"because version {version} of {event.agent} was deployed last, and it runs {event.version}"
                found.append(broken(NAME, "VER-1", event, f"begin of {turn.label}", why, path=(turn.label,)))
    return Verdict.of(NAME, {"turns": begun, "later_deploys": promoted}, found, begun)


_NEXT = {**deploy(), "version": 2}

LATEST_VERSION_RUNS = Invariant(
    name=NAME,
    clauses=("VER-1", "VER-3"),
    holds_when=(
        "Every turn runs the version of its agent that was deployed last before it began: a live turn the last live "
        "one, a preview the last of either plane."
    ),
    counts={
        "turns": "turns that tell their version, of agents with a deploy; without one the verdict is unknown",
        "later_deploys": "deploys that followed another one of their agent and plane",
    },
    check=check,
    good=(HEADER, deploy(), _NEXT, {**begin("s0", "account-17"), "version": 2}, end("s0")),
    bad=(HEADER, deploy(), _NEXT, begin("s0", "account-17"), end("s0")),
)
