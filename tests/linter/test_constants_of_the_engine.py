"""What the linter says of sizes is what the engine counts. The linter may not import it; this test may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from seatrial.engine.conversation import Conversation
from seatrial.engine.ids import with_id
from seatrial.engine.pins import total_tokens
from seatrial.engine.tokens import count_tokens
from seatrial.engine.values import Record
from seatrial.linter.rules import st305_context_out_of_proportion as st305
from seatrial.linter.rules import st309_budget_below_one_pin as st309


def test_the_shortest_pin_takes_what_st309_says(make_record: Callable[..., Record]) -> None:
    """PIN-2: the listing counts the id too."""
    pin = with_id(replace(make_record("", "x"), pinned=True))
    assert total_tokens([pin], count_tokens) == st309.LEAST_TOKENS


def shortest(messages: int) -> Conversation:
    conversation = Conversation("live", carried=(), summary=None, count_tokens=count_tokens)
    for _ in range(messages):
        conversation.say({"role": "user", "text": ""})
    return conversation


def test_no_message_takes_less_than_st305_says_and_some_hardly_take_more() -> None:
    """CTX-3: what is compared with summarize_at is the conversation as contexts show it, line ends included."""
    for messages in (10, 1000):
        tokens = shortest(messages).tokens
        assert messages * st305.LEAST_TOKENS <= tokens < messages * (st305.LEAST_TOKENS + 1)


def test_kept_messages_that_st305_warns_of_are_summarized_again_and_again() -> None:
    keep, summarize_at = 100, 100 * st305.LEAST_TOKENS - 1
    conversation = shortest(keep)
    assert conversation.older(summarize_at, keep) == ()
    said: dict[str, Any] = {"role": "user", "text": ""}
    for _ in range(3):
        conversation.say(said)
        older = conversation.older(summarize_at, keep)
        assert len(older) == 1
        conversation.summarize(older, "")
