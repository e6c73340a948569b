"""Search over a view: what is a hit, how it is scored and in which order it comes (SCH-1 to SCH-7, WRT-5, ADM-2)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from seatrial.engine.analyze import analyze
from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.partition import Partition
from seatrial.engine.values import EngineError, Filters, LabelValue, PartitionKey, Record, Scope
from seatrial.engine.view import View

NOW = 1_760_000_000_000
EMBEDDER = HashingEmbedder()


def record(
    name: str,
    text: str,
    *,
    scope: Scope = "session",
    at: int = NOW,
    ordinal: int = 0,
    kind: str = "fact",
    labels: tuple[tuple[int, LabelValue], ...] = (),
) -> Record:
    return Record(
        id=name,
        agent="reconciler",
        plane="live",
        scope=scope,
        session="account-17",
        summary=text,
        content=None,
        kind=kind,
        labels=labels,
        pinned=False,
        status="ACTIVE",
        at=at,
        ordinal=ordinal,
        execution="e1",
        version=1,
        turn=1,
        source="tool",
    )


def partition(*records: Record, scope: Scope = "session") -> Partition:
    key = PartitionKey("reconciler", "live", scope, "account-17" if scope == "session" else None)
    made = Partition(key, EMBEDDER)
    made.add(records)
    return made


def found(view: View, query: str, filters: Filters | None = None) -> list[str]:
    return [hit.record.id for hit in view.search(query, filters, now=NOW)]


def test_sch4_keywords_are_those_of_scikit_learn_fitted_on_the_view() -> None:
    base = partition(record("a", "Wire 4471 approved up to 9,000 USD"), record("b", "Wire 22 refused"))
    shared = partition(record("c", "Approved wires are logged", scope="agent"), scope="agent")
    view = View([base.snapshot(), shared.snapshot()])
    view.write(record("d", "Wire 4471 was sent twice"))
    view.replace(replace(record("b", "Wire 22 refused"), status="SUPERSEDED", successor="d"))
    texts = [active.text for active in view.active()]
    vectorizer = TfidfVectorizer(analyzer=analyze)
    fitted = vectorizer.fit_transform(texts)
    expected = (fitted @ vectorizer.transform(["approved wire 4471"]).T).toarray()[:, 0].tolist()
    hits = {hit.record.text: hit.keywords for hit in view.search("approved wire 4471", now=NOW)}
    assert [hits.get(text, 0.0) for text in texts] == pytest.approx(expected, abs=1e-9)


def test_view5_a_snapshot_shows_nothing_of_what_happens_later() -> None:
    base = partition(record("a", "Wire 4471 approved"))
    view = View([base.snapshot()])
    before = view.search("wire 4471", now=NOW)
    base.add([record("b", "Wire 4471 approved again")])
    base.replace(replace(record("a", "Wire 4471 approved"), status="DELETED"))
    assert view.search("wire 4471", now=NOW) == before
    assert found(View([base.snapshot()]), "wire 4471") == ["b"]


def test_sch1_a_blank_query_without_a_filter_is_refused() -> None:
    """mem0#5221: a blank query crashed or returned all."""
    view = View([partition(record("a", "Wire 4471 approved")).snapshot()])
    for query in ("", " \n", "\u200b\u00ad"):
        with pytest.raises(EngineError) as refused:
            view.search(query, now=NOW)
        assert refused.value.code == "blank_query"


def test_adm2_a_forgotten_record_leaves_an_open_view() -> None:
    view = View([partition(record("a", "Wire 4471 approved")).snapshot()])
    view.forget("a")
    assert (view.get("a"), found(view, "wire 4471"), list(view.active())) == (None, [], [])
