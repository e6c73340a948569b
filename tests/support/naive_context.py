"""What a model is handed in the naive model: conversation, summaries, state, recalled records (CTX, RCL-1)."""

from __future__ import annotations

import re

from naive import Naive
from naive_facts import Begun, Noted, Plain, Said, StateSet, Summarized, Used, Wrote, beginning, blank, encoded, tokens


def model_call(memory: Naive, turn: Begun) -> Plain:
    """What the context must hold (CTX-1)."""
    call = memory.spend_call(turn)
    summary = latest_summary(memory, turn)
    hits = recalled(memory, turn)
    pin_text, pins = memory.listed_pins(turn)
    memory.happen(Noted(turn, "model_call"))
    for source, records in (("pin", pins), ("recall", [record for record, _ in hits])):
        if records:  # RCL-3: one that returned nothing is none
            memory.happen(Used(turn, call, source, "agent", tuple(record.id for record in records)))
    return {
        "call": call,
        "purpose": "turn",
        "pins": [memory.shown(turn, pin) for pin in pins],
        "pin_text": pin_text,
        "state": state(memory, turn),
        "summary": None if summary is None else summary.text,
        "messages": [shown for _, shown in conversation(memory, turn)],
        "recalled": [shown for _, shown in hits],
    }


def state(memory: Naive, turn: Begun) -> Plain:
    """CTX-6: what the turn set last, else what the latest turn that it continues had in the end (VIEW-4)."""
    own: list[Plain] = [fact.state for fact in memory.every(StateSet) if fact.turn is turn]
    return own[-1] if own else carried_state(memory, turn)


def carried_state(memory: Naive, turn: Begun) -> Plain:
    """CTX-6: with what the turn began, and what stays where it does not commit."""
    earlier = memory.earlier(turn)
    return state(memory, earlier[-1]) if earlier else {}


def recalled(memory: Naive, turn: Begun) -> list[tuple[Wrote, Plain]]:
    """RCL-1."""
    own = [said.message for said in memory.said(turn) if said.carried]
    texts = [as_said(message, turn.config.offload_threshold) for message in own]
    user, *later = [message.get("text", message.get("preview")) for message in texts]
    query = "\n".join(beginning(str(text), 500) for text in [user, *later[-2:]])
    if not turn.config.enabled or blank(query):
        return []
    return memory.search(turn, memory.active(turn), query, turn.config.max_results)


# The conversation


def conversation(memory: Naive, turn: Begun) -> list[tuple[Said, Plain]]:
    """Each message that no summary stands for, and how it is shown: those of earlier turns, then the turn's own."""
    threshold, summary = turn.config.offload_threshold, latest_summary(memory, turn)
    earlier = [said for other in memory.earlier(turn) for said in memory.said(other) if said.carried]
    shown = [(said, as_carried(said.message, threshold)) for said in earlier]
    shown += [(said, as_said(said.message, threshold)) for said in memory.said(turn)]
    return [(said, message) for said, message in shown if summary is None or said not in summary.covers]


def as_said(message: Plain, threshold: int) -> Plain:
    """CTX-2: a message as its own turn shows it."""
    if not is_large(message, threshold):
        return message
    size = tokens(message["text"])
    note = f"This is the beginning of {size} tokens, which are set aside. read_result with `ref` returns them."
    preview = beginning(message["text"], min(200, threshold))
    return {"role": "tool", "name": message["name"], "ref": message["ref"], "preview": preview, "note": note}


def as_carried(message: Plain, threshold: int) -> Plain:
    """CTX-4: a message as later turns show it."""
    if not is_large(message, threshold):
        return message
    size = tokens(message["text"])
    note = f"These {size} tokens of an earlier turn are set aside. read_result with `ref` returns them."
    return {"role": "tool", "name": message["name"], "ref": message["ref"], "note": note}


def is_large(message: Plain, threshold: int) -> bool:
    """Whether it is an outside tool's result that is set aside: exactly at the threshold it stays."""
    return "ref" in message and tokens(message["text"]) > threshold


# Summaries


def latest_summary(memory: Naive, turn: Begun) -> Summarized | None:
    """The latest that it made, else the latest of the turns that it continues (CTX-3)."""
    makers = [*memory.earlier(turn), turn]
    made = [fact for each in makers for fact in memory.every(Summarized) if fact.turn is each]
    return made[-1] if made else None


def older(memory: Naive, turn: Begun) -> list[tuple[Said, Plain]]:
    """What a summary has to take the place of: all but the latest messages, if there are too many tokens (CTX-3)."""
    config, summary, messages = turn.config, latest_summary(memory, turn), conversation(memory, turn)
    lines = [] if summary is None else [encoded(summary.text)]
    size = tokens("\n".join([*lines, *(encoded(shown) for _, shown in messages)]))
    return messages[: -config.keep_messages or None] if size > config.summarize_at else []


def summarize(memory: Naive, turn: Begun, answer: str | None) -> Plain | None:
    """What the model must be told where a summary is due. Its answer, or an extract, takes the place of it (CTX-3)."""
    summed_up = older(memory, turn)
    if not summed_up:
        return None
    call, before = memory.spend_call(turn), latest_summary(memory, turn)
    messages = [shown if said.carried else without_answer(shown) for said, shown in summed_up]
    told: Plain = {
        "call": call,
        "purpose": "summary",
        "pins": [],
        "state": state(memory, turn),
        "summary": None if before is None else before.text,
        "messages": messages,
        "recalled": [],
    }
    text = (
        answer
        if answer is not None and answer.strip()
        else extract(told["summary"], messages, turn.config.summarize_at)
    )
    covers = (*(() if before is None else before.covers), *(said for said, _ in summed_up))
    memory.happen(Noted(turn, "model_call"), Noted(turn, "summary"), Summarized(turn, text, covers))
    return told


def without_answer(exchange: Plain) -> Plain:
    """ADM-2: a summary, which outlives deletes, is told nothing that a tool of the harness was asked or answered."""
    return {"role": "tool", "name": exchange["name"], "note": "It was called, and answered."}


def extract(before: str | None, messages: list[Plain], summarize_at: int) -> str:
    """CTX-3: a line a message, the latest that fit into a fourth of the tokens, after a line that says of those left
    out."""
    lines = [*(before or "").splitlines(), *(line_of(message) for message in messages)]
    lines = [line for line in lines if line.strip()]
    whole = [line for line in lines if line != "…"]
    fits = [whole[first:] for first in range(len(whole))]
    texts = ["\n".join(each if each == lines else ["…", *each]) for each in fits]
    limit = max(1, summarize_at // 4)
    return next((text for text in texts if tokens(text) <= limit), beginning(f"…\n{whole[-1]}", limit))


def line_of(message: Plain) -> str:
    """Who said it, the reference of a result, and the first sentence, clipped."""
    who = f"{message.get('name', message['role'])}" + (f" [{message['ref']}]" if "ref" in message else "")
    text = next(str(message[key]) for key in ("text", "preview", "note") if key in message).strip()
    first = text.splitlines()[0] if text else ""
    sentence = next((match[0] for match in re.finditer(r".*?[.!?](?=\s|$)", first)), first).strip()
    clipped = beginning(sentence, 40)
    return f"{who}: {clipped}{'' if clipped == sentence else '…'}".rstrip()
