"""Faults of what a model call is handed: what is summed up, counted, recalled, told and reviewed (CTX, RCL, EXT)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from seatrial.engine import agents, extraction, guidance
from seatrial.engine.conversation import Conversation
from seatrial.engine.engine import Engine
from seatrial.engine.extraction import Extraction
from seatrial.engine.references import References
from seatrial.engine.turn import Turn

from .fault import Alteration, Fault


def _stays_beside_its_summary(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def summarize(self: Conversation, older: Any, text: str) -> None:
            real(self, older, text)
            self._entries.insert(0, older[-1])

        return summarize

    alteration.wrap(Conversation, "summarize", make)


def _rounded_down(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def made(self: Engine, store: Any, partitions: Any, count_tokens: Any) -> None:
            real(self, store, partitions, lambda text: len(text.encode("utf-8", "surrogatepass")) // 4)

        return made

    alteration.wrap(Engine, "__init__", make)


def _labels_untold(alteration: Alteration) -> None:
    alteration.wrap(guidance, "_declared", lambda real: lambda memory: real(replace(memory, labels=())))


def _whole_results_asked(alteration: Alteration) -> None:
    """A recall asks for all of a result, also for what of it was set aside."""

    def make(real: Any) -> Any:
        def keep(self: References, name: str, text: str) -> Any:
            return replace(real(self, name, text), read=text)

        return keep

    alteration.wrap(References, "keep", make)


def _reviewed(alteration: Alteration) -> list[Conversation]:
    """The conversations of the turns that were asked for a review, kept up to date."""
    asked: list[Conversation] = []

    def make(real: Any) -> Any:
        def review(self: Turn) -> Any:
            asked.append(self.conversation)
            return real(self)

        return review

    alteration.wrap(Turn, "review", make)
    return asked


def _own_turn_reviewed(alteration: Alteration) -> None:
    reviewed = _reviewed(alteration)

    def make(real: Any) -> Any:
        def assemble(*, messages: Any, **more: Any) -> Any:
            return real(**more, messages=[message.body for message in reviewed[-1].kept])

        return assemble

    alteration.wrap(extraction, "assemble", make)


def _summary_reviewed(alteration: Alteration) -> None:
    """A review reads what the conversation still shows: a summary in place of what was said."""
    reviewed = _reviewed(alteration)

    def make(real: Any) -> Any:
        def assemble(*, messages: Any, **more: Any) -> Any:
            said = reviewed[-1]
            shown = messages if said.summary is None else said.lines
            return real(**{**more, "summary": said.summary}, messages=shown)

        return assemble

    alteration.wrap(extraction, "assemble", make)


def _reviewed_each_turn(alteration: Alteration) -> None:
    def due(self: Extraction, own: Any) -> bool:
        return bool(self._desk.version.config.memory.write) and not self.reviewed

    alteration.put(Extraction, "due", due)


def _one_spoils_all(alteration: Alteration) -> None:
    """After a candidate that is rejected no other of its review is taken."""

    def make(real: Any) -> Any:
        def decide(self: Extraction, candidate: Any) -> Any:
            refused = next((each.error for each in self.decisions if each.error is not None), None)
            return real(self, candidate) if refused is None else self.reject(refused)

        return decide

    alteration.wrap(Extraction, "decide", make)


def _contradictions_replace(alteration: Alteration) -> None:
    """Of two candidates that contradict each other the second takes the place of the first, in every review anew."""

    def make(real: Any) -> Any:
        def reviewed(self: Extraction, candidate: Any) -> Any:
            self._said.clear()
            return real(self, candidate)

        return reviewed

    alteration.wrap(Extraction, "_reviewed", make)


def _history_for_all(alteration: Alteration) -> None:
    """`search_history` answers also under a version that has no history."""

    def make(real: Any) -> Any:
        def version(*given: Any) -> Any:
            made = real(*given)
            return replace(made, tool_names=tuple(dict.fromkeys((*made.tool_names, "search_history"))))

        return version

    alteration.wrap(agents, "_version", make)


_COUNTED_OTHERWISE = "another system may count tokens by another counter"
_CONTRADICTED = "what contradicts what is the reviewer's to say"
_TOLD_OTHERWISE = "another system may tell them in the definitions of its tools alone"
_ASKED_UNSEEN = "what a recall asks for is judged where all of it and of the view is plain words"

FAULTS: tuple[Fault, ...] = (
    Fault("summed-up-stays", "CTX-3", "the last message that was summed up stays beside the summary",
          _stays_beside_its_summary),
    Fault("tokens-rounded-down", "CTX-7", "a part of a token counts as none", _rounded_down, _COUNTED_OTHERWISE),
    Fault("labels-untold", "CTX-8", "an agent is not told its labels", _labels_untold, _TOLD_OTHERWISE),
    Fault("whole-results-asked", "RCL-1", "a recall asks for all of a result, also what was set aside",
          _whole_results_asked, _ASKED_UNSEEN),
    Fault("history-for-all", "HIS-1", "an agent without history can search it", _history_for_all),
    Fault("own-turn-reviewed", "EXT-1", "a review reads its own turn only", _own_turn_reviewed),
    Fault("summary-reviewed", "EXT-1", "a review reads a summary in place of what was said", _summary_reviewed),
    Fault("reviewed-each-turn", "EXT-2", "every turn is reviewed, however few messages there are",
          _reviewed_each_turn),
    Fault("one-spoils-all", "EXT-3", "a candidate that is rejected takes those after it with it", _one_spoils_all),
    Fault("contradictions-replace", "EXT-6", "two candidates that contradict each other replace one another anew in "
          "every review", _contradictions_replace, _CONTRADICTED),
)  # fmt: skip
