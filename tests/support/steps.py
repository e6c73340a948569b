"""Steps from this version of the store's schema to two that were never released."""

from __future__ import annotations

from seatrial.engine.migrations import VERSION

STEPS = {
    VERSION: "-- a column more\nALTER TABLE deploy ADD COLUMN note TEXT;\n",
    VERSION + 1: "CREATE TABLE word (\n  text TEXT\n) STRICT;\nINSERT INTO word\nSELECT 'a;b' FROM deploy;\n",
}
