"""The embedder `wordllama` (SCH-5): chosen by name, exact, and near in meaning. CI installs the extra `meaning`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import blake2b
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import record

from seatrial.engine import Engine, wordllama
from seatrial.engine.embed import BOUND, Embedder, embedder
from seatrial.engine.partition import Partition
from seatrial.engine.values import EngineError, PartitionKey
from seatrial.engine.view import View

installed = pytest.mark.skipif(
    find_spec("wordllama") is None and "CI" not in os.environ, reason="the extra `meaning` is not installed"
)
# Own sentences: paraphrases that share no word of content with what they ask for, ids and amounts, and distractors.
CASES: dict[str, Any] = json.loads(Path(__file__).with_name("data").joinpath("meaning.json").read_text("utf-8"))


def filled(embedder: Embedder) -> View:
    partition = Partition(PartitionKey("reconciler", "live", "session", "account-17"), embedder)
    asked = [case["record"] for case in CASES["paraphrases"] + CASES["lookups"]]
    partition.add(record(text, text) for text in asked + CASES["distractors"])
    return View([partition.snapshot()])


def places(view: View, cases: list[dict[str, str]]) -> list[int]:
    """For each case, the place of the right record among the first 8, from 1; 0 if it is not there."""
    found = ([hit.record.id for hit in view.search(case["query"], limit=8, now=0)] for case in cases)
    return [
        ids.index(case["record"]) + 1 if case["record"] in ids else 0 for ids, case in zip(found, cases, strict=True)
    ]


@installed
def test_sch_5_paraphrases_are_found_and_ids_and_amounts_come_first() -> None:
    """At least 13 of 20 among the first 8, among 220 others; measured 15, and 3 with the default embedder."""
    view = filled(embedder("wordllama"))
    assert len(CASES["distractors"]) == len(set(CASES["distractors"])) == 200
    assert sum(place > 0 for place in places(view, CASES["paraphrases"])) >= 13
    assert places(view, CASES["lookups"]) == [1] * 20


def test_sch_5_the_default_embedder_is_not_meaning() -> None:
    view = filled(embedder("hashing"))
    assert sum(place > 0 for place in places(view, CASES["paraphrases"])) < 7
    assert places(view, CASES["lookups"]) == [1] * 20


@installed
def test_sch_5_its_vectors_are_the_same_bits_everywhere() -> None:
    texts = [
        "Wire 4471 is approved up to 9,000 USD",
        "\u4e0a\u9650\u306f9000\u5186\u3067\u3059",
        "\U0001f44d",
        "",
        " \n",
        "\ud800",
    ]
    vectors = embedder("wordllama").embed(texts)
    assert vectors.shape == (6, 256)
    assert blake2b(vectors.astype(np.int8).tobytes(), digest_size=8).hexdigest() == "3d83346116da2053"
    assert vectors.any(axis=1).tolist() == [True, True, True, False, False, True]


@installed
@given(st.lists(st.text(alphabet=st.characters(codec=None)), max_size=4))
def test_sch_5_a_row_depends_on_its_text_alone_and_is_whole_numbers(texts: list[str]) -> None:
    chosen = embedder("wordllama")
    vectors = chosen.embed(texts)
    assert vectors.shape == (len(texts), chosen.dimensions)
    assert np.array_equal(vectors, np.rint(vectors))
    assert np.abs(vectors).max(initial=0.0) <= BOUND
    for text, row in zip(texts, vectors, strict=True):
        assert np.array_equal(chosen.embed([text])[0], row)


@installed
def test_sch_5_a_long_text_takes_no_quadratic_time_or_memory() -> None:
    """A megabyte without a space, of characters that the model knows only as bytes: cut up whole it takes minutes."""
    assert embedder("wordllama").embed(["\U0001f44d" * 250_000]).any()


@installed
def test_sch_5_an_engine_takes_it_by_name() -> None:
    with Engine.open(embedder="wordllama") as engine:
        memory = {"enabled": True, "tools": ["add_memory"], "search": {"min_score": 0.2}}
        engine.deploy("ann", {"harness": {"memory": memory}}, at=0)
        turn = engine.begin("ann", session="s", execution="e1", at=0, user="hello")
        turn.call("add_memory", {"summary": "Mr Okafor is a vegetarian", "kind": "fact"})
        answer: Any = turn.call("search_memory", {"query": "Does he eat meat?"}).to_json()
        turn.commit()
    assert [hit["summary"] for hit in answer["answer"]["records"]] == ["Mr Okafor is a vegetarian"]


@installed
def test_sch_5_it_imports_no_package_that_logs_or_reaches_for_a_network() -> None:
    code = (
        "import sys, logging; from seatrial.engine.embed import embedder; embedder('wordllama').embed(['a']);"
        "heavy = {'wordllama', 'requests', 'huggingface_hub', 'torch'} & set(sys.modules);"
        "print(sorted(heavy), logging.root.handlers)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[] []\n"


def test_sch_5_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordllama, "find_spec", lambda _: None)
    monkeypatch.setattr(wordllama, "_model", wordllama._model.__wrapped__)
    with pytest.raises(EngineError, match="needs the package") as refused:
        embedder("wordllama")
    assert (refused.value.code, refused.value.remedy) == (
        "invalid_value",
        "install it with: pip install '.[meaning]' in a checkout of seatrial",
    )


def test_sch_5_a_package_without_the_model_is_told_as_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = ModuleSpec("wordllama", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(wordllama, "find_spec", lambda _: spec)
    monkeypatch.setattr(wordllama, "_model", wordllama._model.__wrapped__)
    with pytest.raises(EngineError, match=r"lacks weights/l2_supercat_256\.safetensors"):
        embedder("wordllama")


def test_sch_5_an_unknown_embedder_is_refused_with_the_known_names() -> None:
    with pytest.raises(EngineError) as refused:
        embedder("word2vec")
    assert refused.value.remedy == "name one of: hashing, wordllama"
