"""Search against what it must equal: scikit-learn, whole-number cosines, a naive model of a view (SCH-2 to SCH-7)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from seatrial.engine import terms
from seatrial.engine.analyze import analyze
from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.features import read_features
from seatrial.engine.partition import Partition
from seatrial.engine.values import Filters, Hit, LabelValue, PartitionKey, Record, Status
from seatrial.engine.view import View

NOW = 1_760_000_000_000
HALF_LIFE = 30 * 24 * 3600 * 1000
NEAR = 1.01e-9  # one rounding to 9 decimals
EMBEDDER = HashingEmbedder()
SESSION = PartitionKey("reconciler", "live", "session", "account-17")
AGENT = PartitionKey("reconciler", "live", "agent", None)
PREVIEW = PartitionKey("reconciler", "preview", "session", "account-17")

WORDS = [
    "wire",
    "wires",
    "approved",
    "the",
    "9,000",
    "9000",
    "USD",
    "INV-4471",
    "4471",
    "acct_17",
    "a",
    "12.5%",
    "don't",
]
WORDS += ["猫", "東京都", "東京", "оплата", "😀"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=12)
LABELS = st.sampled_from([(), ((1, 1),), ((1, True),), ((1, "1"), (2, "x")), ((2, "X"),)])

MakeRecord = Callable[..., Record]


@dataclass
class Model:
    """Partitions and a view over them, beside the plain facts: which records the view holds ACTIVE."""

    make: MakeRecord
    partitions: dict[PartitionKey, Partition] = field(default_factory=dict)
    view: View = field(default_factory=lambda: View([]))
    active: dict[str, Record] = field(default_factory=dict)
    made: int = 0

    def record(self, data: st.DataObject, key: PartitionKey) -> Record:
        self.made += 1
        return self.make(
            f"r{self.made}",
            data.draw(TEXTS),
            content=data.draw(st.none() | TEXTS),
            plane=key.plane,
            scope=key.scope,
            labels=data.draw(LABELS),
            kind=data.draw(st.sampled_from(["fact", "event"])),
            at=NOW - data.draw(st.sampled_from([0, 1, 60_000, 7 * 86_400_000, HALF_LIFE, -5000])),
            ordinal=data.draw(st.integers(0, 2)),
        )


def ended(record: Record, data: st.DataObject) -> Record:
    status: Status = data.draw(st.sampled_from(["SUPERSEDED", "DELETED"]))
    return replace(record, status=status, successor="r1" if status == "SUPERSEDED" else None)


def fill(data: st.DataObject, model: Model, keys: list[PartitionKey], most: int) -> None:
    """Records in partitions: some loaded when they had ended already, some that ended while resident."""
    for key in keys:
        partition = model.partitions.setdefault(key, Partition(key, EMBEDDER))
        for _ in range(data.draw(st.integers(0, most))):
            record = model.record(data, key)
            fate = data.draw(st.sampled_from(["ACTIVE", "ACTIVE", "ACTIVE", "loaded", "ended"]))
            partition.add([record if fate != "loaded" else ended(record, data)])
            if fate == "ended":
                partition.replace(ended(record, data))
            elif fate == "ACTIVE":
                model.active[record.id] = record


def draw_model(data: st.DataObject, make: MakeRecord) -> Model:
    """A view of up to three partitions, its own writes and endings, and what happens to the partitions meanwhile."""
    model = Model(make)
    keys = data.draw(st.lists(st.sampled_from([SESSION, AGENT, PREVIEW]), min_size=1, max_size=3, unique=True))
    fill(data, model, keys, 6)
    model.view = View([model.partitions[key].snapshot() for key in keys])
    for _ in range(data.draw(st.integers(0, 5))):
        step = data.draw(st.sampled_from(["write", "replace", "hide", "forget", "search", "elsewhere"]))
        if step == "write":
            record = model.record(data, data.draw(st.sampled_from(keys)))
            model.view.write(record)
            model.active[record.id] = record
        elif step == "search":  # what a view has worked out must not outlive a change of it
            model.view.search("wire", now=NOW)
        elif step == "elsewhere":
            elsewhere(data, model, keys)
        elif model.active:
            record = model.active.pop(data.draw(st.sampled_from(sorted(model.active))))
            if step == "replace":
                model.view.replace(ended(record, data))
            elif step == "hide":
                model.view.hide(record.id, data.draw(st.none() | st.just("r1")))
            else:
                model.view.forget(record.id)
    return model


def elsewhere(data: st.DataObject, model: Model, keys: list[PartitionKey]) -> None:
    """Other turns commit: nothing of it may show in the view (VIEW-5)."""
    partition = model.partitions[data.draw(st.sampled_from(keys))]
    there = list(partition.snapshot().records())
    something_ends: bool = data.draw(st.booleans())
    if there and something_ends:
        partition.replace(ended(data.draw(st.sampled_from(there)), data))
    else:
        assert partition.key is not None
        partition.add([model.record(data, partition.key)])


def expected_keywords(records: list[Record], query: str) -> dict[str, float]:
    vectorizer = TfidfVectorizer(analyzer=analyze)
    try:
        fitted = vectorizer.fit_transform([record.text for record in records])
    except ValueError:  # no record has a term
        return {record.id: 0.0 for record in records}
    cosines = (fitted @ vectorizer.transform([query]).T).toarray()[:, 0]
    return {record.id: float(cosine) for record, cosine in zip(records, cosines, strict=True)}


def expected_meaning(records: list[Record], query: str) -> dict[str, float]:
    vectors = EMBEDDER.embed([query, *(record.text for record in records)]).astype(np.int64)
    asked = vectors[0]
    cosines = {}
    for record, vector in zip(records, vectors[1:], strict=True):
        norms = math.sqrt(int(asked @ asked)) * math.sqrt(int(vector @ vector))
        cosines[record.id] = max(0.0, int(asked @ vector) / norms) if norms else 0.0
    return cosines


def order(hit: Hit) -> tuple[float, int, int, str]:
    return -hit.score, -hit.record.at, -hit.record.ordinal, hit.record.id


@settings(max_examples=120)
@given(st.data())
def test_search_is_what_scikit_learn_and_whole_numbers_say(make_record: MakeRecord, data: st.DataObject) -> None:
    """SCH-2 to SCH-7, over snapshots, own writes, endings, hidden and forgotten records, at any interleaving."""
    model = draw_model(data, make_record)
    query = data.draw(TEXTS.filter(str.strip)) + " x"
    mode: Literal["hybrid", "lexical", "vector"] = data.draw(st.sampled_from(["hybrid", "lexical", "vector"]))
    min_score = data.draw(st.sampled_from([0.0, 0.1, 0.35, 1.0]))
    records = list(model.active.values())
    keywords = expected_keywords(records, query)
    meaning = expected_meaning(records, query)
    hits = model.view.search(query, mode=mode, limit=1000, min_score=min_score, now=NOW)
    found = {hit.record.id: hit for hit in hits}
    for record in records:
        by_keyword = 0.0 if mode == "vector" else keywords[record.id]
        by_meaning = 0.0 if mode == "lexical" else meaning[record.id]
        if record.id not in found:
            assert by_keyword <= NEAR
            assert by_meaning < max(min_score, NEAR) + NEAR
            continue
        hit = found.pop(record.id)
        assert hit.record == record
        assert hit.keywords == pytest.approx(by_keyword, abs=NEAR)
        assert hit.meaning == pytest.approx(by_meaning, abs=NEAR)
        assert hit.recency == pytest.approx(0.5 ** (max(0, NOW - record.at) / HALF_LIFE), abs=NEAR)
        assert hit.score == pytest.approx(0.7 * hit.meaning + 0.21 * hit.keywords + 0.09 * hit.recency, abs=NEAR)
        assert hit.keywords > 0 or hit.meaning >= max(min_score, 1e-9)
    assert found == {}, "a hit that is not an ACTIVE record of the view"
    assert hits == sorted(hits, key=order)
    assert model.view.search(query, mode=mode, limit=2, min_score=min_score, now=NOW) == hits[:2]


@settings(max_examples=60)
@given(st.data())
def test_sch1_filters_are_exact_and_change_no_score(make_record: MakeRecord, data: st.DataObject) -> None:
    model = draw_model(data, make_record)
    kinds = data.draw(st.none() | st.lists(st.sampled_from(["fact", "event", "Fact"]), max_size=2).map(tuple))
    value: st.SearchStrategy[LabelValue] = st.sampled_from([1, True, "1", "x", "X"])
    labels = data.draw(
        st.none()
        | st.lists(st.tuples(st.integers(1, 2), st.lists(value, max_size=3).map(tuple)), max_size=2).map(tuple)
    )
    ids = data.draw(st.none() | st.lists(st.sampled_from(["r1", "r2", "r3", "R1", ""]), max_size=3).map(tuple))
    filters = Filters(kinds=kinds, labels=labels, ids=ids)

    def passes(record: Record) -> bool:
        mine = [(number, type(value), value) for number, value in record.labels]
        return (
            (kinds is None or record.kind in kinds)
            and all(any((number, type(v), v) in mine for v in values) for number, values in labels or ())
            and (ids is None or record.id in ids)
        )

    everything = model.view.search("wire 9000 東京 x", limit=1000, now=NOW)
    assert model.view.search("wire 9000 東京 x", filters, limit=1000, now=NOW) == [
        hit for hit in everything if passes(hit.record)
    ]
    if not filters.empty:
        newest_first = sorted(filter(passes, model.active.values()), key=lambda r: (-r.at, -r.ordinal, r.id))
        listed = model.view.search(" ", filters, limit=3, now=NOW)
        assert listed == [Hit(record, 0.0, 0.0, 0.0, 0.0) for record in newest_first[:3]]


@settings(max_examples=60)
@given(st.data())
def test_a_view_holds_its_active_records_newest_first(make_record: MakeRecord, data: st.DataObject) -> None:
    """SCH-7, VIEW-5, WRT-5."""
    model = draw_model(data, make_record)
    assert list(model.view.active()) == sorted(model.active.values(), key=lambda r: (-r.at, -r.ordinal, r.id))
    for record in model.active.values():
        assert model.view.get(record.id) == record


@settings(max_examples=60)
@given(st.data())
def test_sch7_scores_do_not_depend_on_how_records_became_resident(make_record: MakeRecord, data: st.DataObject) -> None:
    """Loaded at once, one by one, in another order, from kept features, or beside ended rows: the same bits."""
    model = Model(make_record)
    fill(data, model, [SESSION], 12)
    records = list(model.active.values())
    query = data.draw(TEXTS) + " wire 4471 x"

    def search(partition: Partition) -> list[Hit]:
        return View([partition.snapshot()]).search(query, limit=1000, now=NOW)

    at_once = Partition(SESSION, EMBEDDER)
    at_once.add(records)
    one_by_one = Partition(SESSION, HashingEmbedder())
    for record in data.draw(st.permutations(records)):
        one_by_one.add([record])
        search(one_by_one)
    kept = Partition(SESSION, EMBEDDER)
    kept.add(records, read_features([record.text for record in records], EMBEDDER))
    assert search(model.partitions[SESSION]) == search(at_once) == search(one_by_one) == search(kept)


@settings(max_examples=40)
@given(st.data())
def test_sch4_sums_are_the_same_bits_when_terms_are_sorted(make_record: MakeRecord, data: st.DataObject) -> None:
    """A partition that has grown large reads only the entries of the query's terms."""
    model = Model(make_record)
    fill(data, model, [SESSION], 12)
    query = data.draw(TEXTS) + " wire 4471 x"
    plain = View([model.partitions[SESSION].snapshot()]).search(query, limit=1000, now=NOW)
    grown = Partition(SESSION, EMBEDDER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms, "_UNSORTED", 4)
        early = View([grown.snapshot()])
        for record in model.active.values():
            grown.add([record])
            if data.draw(st.booleans()):
                early = View([grown.snapshot()])
                before = early.search(query, limit=1000, now=NOW)
            View([grown.snapshot()]).search(query, limit=1000, now=NOW)
        assert View([grown.snapshot()]).search(query, limit=1000, now=NOW) == plain
        if list(early.active()):
            assert early.search(query, limit=1000, now=NOW) == before
