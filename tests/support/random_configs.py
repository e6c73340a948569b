"""Random configs: any that the agent schema allows, made from the schema itself, and ones that break no rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from seatrial.schemas import load

AGENT = load("agent")

TEXTS = [
    "The customer the memory is about.", "", " ", "TODO", "Lorem", "customer", "a\nb", "顧客", "\u202e", "é" * 300,
    "Scope agent only for what holds for every customer.", "# seatrial: ignore[ST404]", "{}", "0", "null", "'\"\\",
]  # fmt: skip
NAMES = ["fact", "facts", "Fact", "fcat", "guidance", "guidence", "house rule", "x", "1", "yes", "顧客", "a/b~c", "😀"]
LABELS = [
    "customer_id",
    "customer",
    "customers",
    "currency",
    "curency",
    "a",
    "b1",
    "account_id",
    "accountid",
    "yes",
    "n",
]


def values(schema: Any = AGENT, *, whole: bool = False) -> st.SearchStrategy[Any]:
    """What a part of the agent schema allows, but for what `sessions: false` asks of a config.

    An object that is `whole` has every key.
    """
    if "$ref" in schema:
        defined = AGENT["$defs"][schema["$ref"].rpartition("/")[2]]
        return values({**defined, **{key: each for key, each in schema.items() if key != "$ref"}})
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(each, whole=whole) for each in schema["anyOf"]])
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            low, high = schema["minimum"], schema["maximum"]
            near = [low, low + 1, low + 12, low + 99, schema.get("default", low), high - 1, high]
            return st.sampled_from(near) | st.integers(low, min(high, 100_000)) | st.sampled_from(near).map(float)
        case "number":
            return st.floats(schema["minimum"], schema["maximum"]) | st.sampled_from([0, 0.35, 0.95, 1])
        case "string":
            return st.sampled_from(NAMES if "pattern" in schema else [text for text in TEXTS if _fits(text, schema)])
        case "array":
            return st.lists(values(schema["items"]), unique=True, min_size=schema.get("minItems", 0), max_size=4)
        case _:
            return _objects(schema, whole=whole)


def _objects(schema: Any, *, whole: bool) -> st.SearchStrategy[Any]:
    known = {key: values(inner, whole=whole) for key, inner in schema["properties"].items()}
    required = {key: known.pop(key) for key in schema.get("required", [])}
    made = st.fixed_dictionaries({**required, **known}) if whole else st.fixed_dictionaries(required, optional=known)
    if schema["additionalProperties"] is False:
        return made
    others = st.dictionaries(st.sampled_from(LABELS), values(schema["additionalProperties"]), max_size=4)
    return st.builds(lambda one, other: {**one, **other}, others, made)


def _fits(text: str, schema: Any) -> bool:
    return len(text) >= int(schema.get("minLength", 0))


def _settled(config: dict[str, Any]) -> dict[str, Any]:
    """What `sessions: false` asks for."""
    if config.get("sessions") is False and "memory" in config["harness"]:
        config["harness"]["memory"]["scope"] = {"read": ["agent"], "write": ["agent"]}
    return config


@st.composite
def _nearly_whole(draw: st.DrawFn) -> dict[str, Any]:
    """A config with memory that lacks a few keys."""
    config: dict[str, Any] = draw(values(whole=True))
    memory = config["harness"]["memory"]
    memory["enabled"] = True
    for inside in (config, config["model"], config["harness"], memory, memory["scope"], memory["search"]):
        if draw(st.booleans()):
            inside.pop(draw(st.sampled_from([key for key in inside if key not in ("harness", "memory", "enabled")])))
    return config


def valid_configs() -> st.SearchStrategy[dict[str, Any]]:
    """Any config that the agent schema allows: mostly bare ones, and nearly whole ones, where rules meet."""
    return (values() | _nearly_whole()).map(_settled)


@st.composite
def quiet_configs(draw: st.DrawFn, *, sessions: bool | None = None) -> dict[str, Any]:
    """A config with memory that breaks no rule; an agent with or without `sessions`, or either."""
    if sessions is None:
        sessions = draw(st.booleans())
    window = draw(st.sampled_from([None, 32_000, 200_000]))
    summarize = draw(st.integers(3_000, 31_000))
    scope = draw(st.sampled_from(["session", "agent"])) if sessions else "agent"
    memory = {
        "enabled": True,
        "scope": {"read": [scope], "write": [scope]},
        "tools": draw(st.lists(st.sampled_from(["add_memory", "read_memory", "delete_memory"]), unique=True)),
        "pinned": {"max_tokens": draw(st.integers(13, 3200))},
        "model": "small-model",
        "extraction": {
            "prompt": draw(st.sampled_from(["Keep rulings.", "裁定だけ。", "Todo lists of the customer."])),
            "every": {"messages": draw(st.integers(1, 50 if sessions else 2))},
        },
        "search": draw(
            st.fixed_dictionaries(
                {"mode": st.sampled_from(["hybrid", "vector"]), "max_results": st.integers(1, 1000)},
                optional={"min_score": st.floats(0, 0.94)},
            )
            | st.just({"mode": "lexical"})
        ),
        "kinds": draw(
            st.lists(st.sampled_from(["ruling", "fact", "act", "v1", "v2", "顧客"]), min_size=2, unique=True)
        ),
        "labels": {
            name: {"number": number, "description": f"Says {number} things of the record."}
            for number, name in enumerate(
                draw(st.lists(st.sampled_from(["payer", "payee", "country", "a", "b"]), min_size=2, unique=True)),
                draw(st.integers(1, 9)),
            )
        },
    }
    config: dict[str, Any] = {
        "agent": "reconciler",
        "version": draw(st.integers(1, 1000)),
        "sessions": sessions,
        "model": {"name": "large-model"} | ({} if window is None else {"context_tokens": window}),
        "limits": {"model_calls": draw(st.integers(2, 100))},
        "harness": {
            "context": {
                "offload_threshold": draw(st.integers(1, summarize)),
                "summarize_at": summarize,
                "keep_messages": draw(st.integers(1, summarize // 6)),
            },
            "memory": memory,
        },
    }
    if sessions:
        config["harness"]["history"] = {"index": draw(st.sampled_from(["messages", "messages_and_tools"]))}
    return config
