"""What a view finds and answers, clause by clause (SCH-1 to SCH-7, VIEW-5, VIEW-6, WRT-5, PRE-2, ADM-2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.partition import Partition
from seatrial.engine.values import EngineError, Filters, Hit, PartitionKey, Record
from seatrial.engine.view import View

NOW = 1_760_000_000_000
DAY = 86_400_000
EMBEDDER = HashingEmbedder()
SESSION = PartitionKey("reconciler", "live", "session", "account-17")
AGENT = PartitionKey("reconciler", "live", "agent", None)

MakeRecord = Callable[..., Record]


def partition(*records: Record, key: PartitionKey = SESSION) -> Partition:
    made = Partition(key, EMBEDDER)
    made.add(records)
    return made


def view(*records: Record) -> View:
    return View([partition(*records).snapshot()])


def ids(hits: list[Hit]) -> list[str]:
    return [hit.record.id for hit in hits]


def found(in_view: View, query: str, filters: Filters | None = None, **how: Any) -> list[str]:
    return ids(in_view.search(query, filters, now=NOW, **how))


class TestFilters:
    """SCH-1."""

    def test_values_of_one_filter_are_alternatives_and_different_filters_must_all_hold(
        self, make_record: MakeRecord
    ) -> None:
        records = view(
            make_record("a", "wire", kind="fact", labels=((5, "acme"),)),
            make_record("b", "wire", kind="event", labels=((5, "acme"), (6, 7))),
            make_record("c", "wire", kind="event", labels=((5, "zeta"),)),
        )
        assert found(records, "wire", Filters(kinds=("fact", "event"))) == ["a", "b", "c"]
        assert found(records, "wire", Filters(kinds=("event",), labels=((5, ("acme",)),))) == ["b"]
        assert found(records, "wire", Filters(labels=((5, ("acme", "zeta")), (6, (7,))))) == ["b"]
        assert found(records, "wire", Filters(ids=("c", "a"), kinds=("fact",))) == ["a"]

    @pytest.mark.parametrize("value", [1, True, "1"])
    def test_rec5_one_and_true_and_the_text_1_differ(self, make_record: MakeRecord, value: int | str) -> None:
        values: list[int | str] = [1, True, "1"]
        records = view(*(make_record(f"r{i}", "wire", labels=((5, v),)) for i, v in enumerate(values)))
        (expected,) = (f"r{i}" for i, v in enumerate(values) if type(v) is type(value))
        assert found(records, "wire", Filters(labels=((5, (value,)),))) == [expected]

    @pytest.mark.parametrize("pattern", ["john_doe", "john%", "John-Doe", "john-doe ", "john-do", ""])
    def test_values_compare_literally(self, make_record: MakeRecord, pattern: str) -> None:
        """langgraph#8300: `_` in a name acted as a wildcard."""
        records = view(make_record("john-doe", "wire", kind="john-doe", labels=((5, "john-doe"),)))
        for filters in (Filters(kinds=(pattern,)), Filters(labels=((5, (pattern,)),)), Filters(ids=(pattern,))):
            assert found(records, "wire", filters) == []

    def test_they_are_applied_before_ranking(self, make_record: MakeRecord) -> None:
        records = view(
            *(make_record(f"near{i}", "wire 4471 approved") for i in range(20)),
            make_record("far", "a wire of another account entirely", kind="event"),
        )
        assert found(records, "wire 4471 approved", Filters(kinds=("event",)), limit=1) == ["far"]

    def test_no_hit_stays_no_hit(self, make_record: MakeRecord) -> None:
        """agent-memory-server#334: no hit made the search drop its filter and try again."""
        records = view(make_record("a", "wire 4471 approved", kind="fact"))
        assert found(records, "wire 4471", Filters(kinds=("event",))) == []
        assert found(records, "wire 4471", Filters(kinds=())) == []
        assert found(records, "ledger", Filters(kinds=("fact",)), mode="lexical") == []
        assert found(records, "?!", Filters(kinds=("fact",))) == []

    def test_filters_alone_list_newest_first_and_score_nothing(self, make_record: MakeRecord) -> None:
        records = view(
            make_record("old", "wire", at=NOW - DAY),
            make_record("new", "wire"),
            make_record("event", "w", kind="event"),
        )
        hits = records.search("", Filters(kinds=("fact",)), now=NOW)
        assert ids(hits) == ["new", "old"]
        assert {(hit.score, hit.meaning, hit.keywords, hit.recency) for hit in hits} == {(0.0, 0.0, 0.0, 0.0)}

    @pytest.mark.parametrize("query", ["", " \n\t", "\u200b\u00ad", "\u3000"])
    @pytest.mark.parametrize("filters", [None, Filters()])
    def test_a_blank_query_without_a_filter_is_refused(
        self, make_record: MakeRecord, query: str, filters: Filters | None
    ) -> None:
        """mem0#5221: a blank query crashed or returned all."""
        for records in (view(make_record("a", "wire 4471 approved")), View([])):
            with pytest.raises(EngineError) as refused:
                records.search(query, filters, now=NOW)
            assert refused.value.code == "blank_query"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("猫", "黒猫が好きです"),
        ("東京", "本社は東京都にある"),
        ("оплата", "Оплата по счёту 17"),
        ("해외송금", "해외송금을 승인했다"),
        ("โอนเงิน", "อนุมัติการโอนเงินแล้ว"),
        ("دفع", "تم دفع الفاتورة"),
        ("भुगतान", "भुगतान स्वीकृत है"),
        ("🚀", "shipped 🚀 today"),
        ("9000", "up to 9,000 USD"),
        ("getUserName", "call getUserName() first"),
        ("x", "x is unknown"),
    ],
)
def test_sch1_text_of_any_script_is_searchable(make_record: MakeRecord, query: str, text: str) -> None:
    """adk-python#5501: a tokenizer for ASCII only."""
    records = view(make_record("other", "ledger closed"), make_record("right", text))
    for mode in ("hybrid", "lexical", "vector"):
        assert found(records, query, mode=mode)[0] == "right"


class TestHits:
    """SCH-2."""

    def test_one_direction_near_is_high(self, make_record: MakeRecord) -> None:
        """mem0#4453: a distance was taken for a similarity."""
        records = view(
            make_record("same", "wire 4471 approved"),
            make_record("near", "wire 4471 approval"),
            make_record("far", "ledger closed for audits"),
        )
        hits = records.search("wire 4471 approved", mode="vector", now=NOW, min_score=0.35)
        assert ids(hits) == ["same", "near"]
        assert hits[0].meaning == 1.0 > hits[1].meaning >= 0.35

    def test_a_similarity_equal_to_min_score_stays(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "approval of wires"), make_record("b", "ledger"))
        (hit,) = records.search("approval of wired", mode="vector", now=NOW, min_score=0.2)
        assert found(records, "approval of wired", mode="vector", min_score=hit.meaning) == ["a"]
        assert found(records, "approval of wired", mode="vector", min_score=hit.meaning + 1e-9) == []

    def test_a_match_by_keyword_stays_below_min_score(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire " + "unrelated words about ledgers and audits " * 3))
        (hit,) = records.search("wire", now=NOW, min_score=1.0)
        assert hit.keywords > 0
        assert hit.meaning < 1.0
        assert found(records, "wire", mode="vector", min_score=1.0) == []

    def test_recency_alone_is_no_hit(self, make_record: MakeRecord) -> None:
        assert found(view(make_record("a", "wire 4471", at=NOW)), "東京") == []

    def test_each_mode_counts_its_own_parts(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire 4471 approved"))
        (lexical,) = records.search("wire approved", mode="lexical", now=NOW)
        (vector,) = records.search("wire approved", mode="vector", now=NOW)
        (hybrid,) = records.search("wire approved", mode="hybrid", now=NOW)
        assert (lexical.meaning, vector.keywords) == (0.0, 0.0)
        assert (hybrid.meaning, hybrid.keywords) == (vector.meaning, lexical.keywords)
        assert min(hybrid.meaning, hybrid.keywords) > 0

    def test_lexical_search_finds_no_spelling_and_vector_search_does(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "approval"))
        assert (found(records, "approvals", mode="lexical"), found(records, "approvals", mode="vector")) == ([], ["a"])

    def test_the_limit_bounds_an_answer(self, make_record: MakeRecord) -> None:
        records = view(*(make_record(f"r{i:02}", "wire") for i in range(30)))
        assert len(found(records, "wire")) == 8
        assert len(found(records, "wire", limit=1)) == 1
        assert len(found(records, "wire", limit=99)) == 30
        with pytest.raises(EngineError) as refused:
            found(records, "wire", limit=0)
        assert refused.value.code == "invalid_value"


def test_sch3_a_score_is_seventy_meaning_twenty_one_keywords_nine_recency(make_record: MakeRecord) -> None:
    (hit,) = view(make_record("a", "wire 4471 approved")).search("Wire 4471 approved", now=NOW)
    assert hit == Hit(hit.record, score=1.0, meaning=1.0, keywords=1.0, recency=1.0)
    old = view(make_record("a", "wire 4471 approved", at=NOW - 30 * DAY))
    (hit,) = old.search("Wire 4471 approved", now=NOW)
    assert (hit.score, hit.recency) == (0.955, 0.5)


def test_sch4_an_empty_view_gives_nothing(make_record: MakeRecord) -> None:
    assert found(View([]), "wire") == []
    assert found(view(), "wire") == []
    gone = view(make_record("a", "wire"))
    gone.forget("a")
    assert found(gone, "wire") == []


def test_sch4_statistics_are_those_of_the_view_before_filters(make_record: MakeRecord) -> None:
    records = view(
        make_record("a", "wire 4471", kind="event"), make_record("b", "wire 22"), make_record("c", "wire 23")
    )
    (filtered,) = records.search("wire 4471", Filters(kinds=("event",)), now=NOW)
    assert filtered == records.search("wire 4471", now=NOW)[0]


def test_sch4_nothing_outside_the_view_moves_a_score(make_record: MakeRecord) -> None:
    """mem0#5439: entities merged across users changed another user's ranking, though no text leaked."""
    mine = partition(make_record("a", "wire 4471 approved"), make_record("b", "wire 22 refused"))
    before = View([mine.snapshot()]).search("wire approved", now=NOW)
    theirs = Partition(PartitionKey("reconciler", "live", "session", "account-22"), EMBEDDER)
    theirs.add(make_record(f"t{i}", f"wire approved {i}", session="account-22") for i in range(50))
    found(View([theirs.snapshot()]), "wire approved")
    assert View([mine.snapshot()]).search("wire approved", now=NOW) == before
    assert (
        View([partition(*reversed(list(mine.snapshot().records()))).snapshot()]).search("wire approved", now=NOW)
        == before
    )


def test_sch6_time_may_go_back_across_sessions_and_an_age_is_at_least_0(make_record: MakeRecord) -> None:
    (hit,) = view(make_record("a", "wire", at=NOW + DAY)).search("wire", now=NOW)
    assert hit.recency == 1.0


class TestOrder:
    """SCH-7."""

    def test_equal_scores_are_ordered_by_time_then_ordinal_then_id(self, make_record: MakeRecord) -> None:
        """bedrock-agentcore-sdk-python#63: events of one second were unordered."""
        at_once = [make_record(f"r{i}", "wire", at=NOW + DAY, ordinal=i) for i in (2, 0, 1)]
        records = view(
            make_record("b", "wire"), *at_once, make_record("a", "wire"), make_record("z", "wire", at=NOW + 1)
        )
        expected = ["r2", "r1", "r0", "z", "a", "b"]
        assert found(records, "wire") == expected
        assert found(records, "", Filters(kinds=("fact",))) == expected
        assert [record.id for record in records.active()] == expected
        assert found(records, "wire", limit=5) == expected[:5]

    def test_ties_are_ordered_across_partitions(self, make_record: MakeRecord) -> None:
        session = partition(make_record("b", "wire"), make_record("d", "wire"))
        agent = partition(make_record("a", "wire", scope="agent"), make_record("c", "wire", scope="agent"), key=AGENT)
        for snapshots in ([session.snapshot(), agent.snapshot()], [agent.snapshot(), session.snapshot()]):
            assert found(View(snapshots), "wire", limit=3) == ["a", "b", "c"]


class TestView:
    def test_view5_a_snapshot_shows_nothing_of_what_happens_later(self, make_record: MakeRecord) -> None:
        base = partition(make_record("a", "wire 4471 approved"))
        early = View([base.snapshot()])
        before = early.search("wire 4471", now=NOW)
        base.add([make_record("b", "wire 4471 approved again")])
        base.replace(replace(make_record("a", "wire 4471 approved"), status="DELETED"))
        assert early.search("wire 4471", now=NOW) == before
        assert (early.get("a"), early.get("b")) == (before[0].record, None)
        late = View([base.snapshot()])
        assert (found(late, "wire 4471"), late.get("a")) == (["b"], None)

    def test_view5_a_view_that_searches_late_sees_its_start(self, make_record: MakeRecord) -> None:
        """Nothing has been worked out when others commit: it must be worked out for the moment of the snapshot."""
        records = [make_record("a", "wire 4471 approved"), make_record("b", "wire 22"), make_record("c", "ledger")]
        base = partition(*records)
        late = View([base.snapshot()])
        base.replace(replace(records[1], status="SUPERSEDED", successor="d"))
        base.add([make_record("d", "wire 4471 and new terms")])
        base.replace(replace(records[0], status="DELETED"))
        base.add([make_record("e", "approved")])
        base.replace(replace(make_record("e", "approved"), status="DELETED"))
        assert late.search("approved wire new", now=NOW) == view(*records).search("approved wire new", now=NOW)
        assert (late.get("b"), late.get("d"), late.get("e")) == (records[1], None, None)

    def test_view6_what_is_not_in_the_view_never_existed(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire"), make_record("gone", "wire", status="DELETED"))
        strange: object
        for strange in ("", "A", "a ", "a\x00", "%", "_", "gone", "b", None, 7, ("a",), ["a"], {}, b"a"):
            assert records.get(strange) is None
            assert strange not in records
        assert "a" in records

    def test_wrt2_a_superseded_record_is_read_and_not_found(self, make_record: MakeRecord) -> None:
        loaded = make_record("old", "wire 4471", status="SUPERSEDED", successor="new")
        records = view(loaded, make_record("new", "wire 4471 approved"))
        assert (records.get("old"), found(records, "wire 4471")) == (loaded, ["new"])

    def test_wrt5_a_turn_reads_its_own_writes_and_endings(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire 4471"), make_record("b", "ledger"))
        mine = make_record("mine", "wire 4471 approved")
        records.write(mine)
        assert (records.get("mine"), set(found(records, "wire 4471"))) == (mine, {"a", "mine"})
        ending = replace(make_record("a", "wire 4471"), status="SUPERSEDED", successor="mine")
        records.replace(ending)
        assert (records.get("a"), found(records, "wire 4471")) == (ending, ["mine"])
        records.replace(replace(mine, status="DELETED"))
        assert (records.get("mine"), found(records, "wire 4471", mode="lexical")) == (None, [])
        assert [record.id for record in records.active()] == ["b"]

    def test_pre2_a_hidden_live_record_leaves_search_and_names_what_would_replace_it(
        self, make_record: MakeRecord
    ) -> None:
        records = view(make_record("a", "wire 4471"), make_record("b", "wire 22"), make_record("c", "wire"))
        records.hide("a", "preview")
        records.hide("b")
        records.hide("unknown", "preview")
        shown = records.get("a")
        assert shown is not None
        assert (shown.status, shown.successor, records.get("b")) == ("SUPERSEDED", "preview", None)
        assert (found(records, "wire"), records.get("unknown")) == (["c"], None)

    def test_pre2_a_hidden_record_that_a_live_turn_replaced_names_the_live_successor(
        self, make_record: MakeRecord
    ) -> None:
        replaced = make_record("a", "wire 4471", status="SUPERSEDED", successor="live")
        records = view(replaced, make_record("live", "wire 4471 approved"))
        records.hide("a", "preview")
        assert (records.get("a"), found(records, "wire 4471")) == (replaced, ["live"])

    def test_adm2_a_forgotten_record_leaves_an_open_view(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire 4471"), make_record("b", "wire"))
        assert found(records, "wire 4471") == ["a", "b"]
        records.forget("a")
        records.forget("unknown")
        assert (records.get("a"), found(records, "wire 4471")) == (None, ["b"])

    def test_adm2_a_forgotten_record_leaves_the_statistics(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire 4471"), make_record("b", "wire 22"))
        records.forget("a")
        assert records.search("wire 4471", now=NOW) == view(make_record("b", "wire 22")).search("wire 4471", now=NOW)

    def test_what_cannot_be_is_refused(self, make_record: MakeRecord) -> None:
        records = view(make_record("a", "wire"))
        with pytest.raises(ValueError, match="here already"):
            records.write(make_record("a", "other"))
        with pytest.raises(ValueError, match="not an ending"):
            records.replace(make_record("a", "wire"))
        records.forget("a")
        with pytest.raises(ValueError, match="not an ending"):
            records.replace(replace(make_record("a", "wire"), status="SUPERSEDED", successor="b"))


def test_wrt5_a_search_that_is_asked_again_sees_what_has_changed_since(make_record: MakeRecord) -> None:
    in_view = view(make_record("a", "wire"), make_record("b", "wire"))
    first = in_view.search("wire", now=NOW)
    assert sorted(ids(first)) == ["a", "b"]
    first.clear()  # REC-6: a list that was handed out is the caller's
    assert sorted(found(in_view, "wire")) == ["a", "b"]
    in_view.write(make_record("c", "wire"))
    assert sorted(found(in_view, "wire")) == ["a", "b", "c"]
    in_view.forget("a")
    in_view.hide("b", "c")
    assert found(in_view, "wire") == ["c"]
    assert found(in_view, "wire", limit=1) == found(in_view, "wire", mode="lexical") == ["c"]
    assert in_view.search("wire", now=NOW)[0] != in_view.search("wire", now=NOW + 30 * DAY)[0]
