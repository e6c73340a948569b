-- The store of one memory system, version 1. What a database can state about the clauses is stated here.
-- Written once, never updated but for status: nothing is ever erased (REC-3).
-- Names compare byte by byte (REC-6: SQLite's BINARY). '' is no session: a name is never empty.
-- Times are milliseconds since 1970-01-01T00:00:00 UTC. JSON columns are canonical and ASCII.
PRAGMA application_id = 0x53545231;  -- "STR1"
PRAGMA user_version = 1;

CREATE TABLE version (
  agent  TEXT NOT NULL CHECK (agent <> ''),
  number INTEGER NOT NULL CHECK (number >= 1),
  config TEXT NOT NULL,
  PRIMARY KEY (agent, number)
) STRICT, WITHOUT ROWID;

-- In the order of promotion. One version may be promoted to both planes.
CREATE TABLE deploy (
  key    INTEGER PRIMARY KEY,
  agent  TEXT NOT NULL,
  number INTEGER NOT NULL,
  plane  TEXT NOT NULL CHECK (plane IN ('live', 'preview')),
  at     INTEGER NOT NULL,
  FOREIGN KEY (agent, number) REFERENCES version (agent, number)
) STRICT;
CREATE INDEX deploy_agent ON deploy (agent);

-- Every attempt at a turn, however it ended (TXN-2). Ids come from the caller, unique per agent (REC-2).
CREATE TABLE execution (
  key     INTEGER PRIMARY KEY,
  agent   TEXT NOT NULL,
  id      TEXT NOT NULL CHECK (id <> ''),
  session TEXT NOT NULL,
  plane   TEXT NOT NULL CHECK (plane IN ('live', 'preview')),
  version INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  outcome TEXT NOT NULL DEFAULT 'open'
          CHECK (outcome IN ('open', 'committed', 'rolled_back', 'crashed', 'failed', 'conflict')),
  reason  TEXT,
  UNIQUE (agent, id),
  FOREIGN KEY (agent, version) REFERENCES version (agent, number)
) STRICT;
CREATE INDEX execution_open ON execution (key) WHERE outcome = 'open';
-- At most one open turn in a session, in either plane (TXN-3).
CREATE UNIQUE INDEX execution_busy ON execution (agent, session) WHERE outcome = 'open' AND session <> '';

-- What an execution did, appended as it goes, outside the turn's transaction (TXN-2).
CREATE TABLE transcript (
  execution INTEGER NOT NULL REFERENCES execution (key),
  place     INTEGER NOT NULL,
  entry     TEXT NOT NULL,
  PRIMARY KEY (execution, place)
) STRICT, WITHOUT ROWID;

-- Output uses: which records reached the model, and how (RCL-3). None when nothing did.
CREATE TABLE use (
  execution INTEGER NOT NULL REFERENCES execution (key),
  place     INTEGER NOT NULL,
  call      INTEGER NOT NULL CHECK (call >= 0),
  source    TEXT NOT NULL CHECK (source IN ('recall', 'search_memory', 'read_memory', 'pin')),
  actor     TEXT NOT NULL CHECK (actor IN ('agent', 'subagent', 'program')),
  records   TEXT NOT NULL CHECK (records <> '[]'),
  PRIMARY KEY (execution, place, source)
) STRICT, WITHOUT ROWID;

-- Committed turns only, in commit order: `key` grows with each commit (VIEW-4).
CREATE TABLE turn (
  key       INTEGER PRIMARY KEY,
  execution INTEGER NOT NULL UNIQUE REFERENCES execution (key),
  agent     TEXT NOT NULL,
  session   TEXT NOT NULL,
  plane     TEXT NOT NULL CHECK (plane IN ('live', 'preview')),
  number    INTEGER NOT NULL CHECK (number >= 1),
  at        INTEGER NOT NULL,
  state     TEXT NOT NULL,
  reviewed  INTEGER NOT NULL CHECK (reviewed >= 0),  -- how many of its messages its review covered; 0: it had none (EXT-2)
  UNIQUE (agent, session, plane, number)
) STRICT;

-- The conversation that later turns of the session carry on (VIEW-4), whole. `ref` names an outside tool's result (CTX-4).
CREATE TABLE message (
  turn  INTEGER NOT NULL REFERENCES turn (key),
  place INTEGER NOT NULL,
  body  TEXT NOT NULL,
  ref   TEXT UNIQUE,
  PRIMARY KEY (turn, place)
) STRICT, WITHOUT ROWID;

-- The messages that history can search: decided at the commit by the version that ran the turn (HIS-5).
CREATE TABLE event (
  turn     INTEGER NOT NULL,
  place    INTEGER NOT NULL,
  features BLOB NOT NULL,  -- as those of a record
  made_by  TEXT NOT NULL,
  PRIMARY KEY (turn, place),
  FOREIGN KEY (turn, place) REFERENCES message (turn, place)
) STRICT, WITHOUT ROWID;

-- What later contexts show for the messages of each plane up to the marked one (CTX-3). The messages stay (EXT-1).
CREATE TABLE summary (
  turn INTEGER PRIMARY KEY REFERENCES turn (key),
  text TEXT NOT NULL
) STRICT;

CREATE TABLE summary_mark (
  summary INTEGER NOT NULL REFERENCES summary (turn),
  plane   TEXT NOT NULL CHECK (plane IN ('live', 'preview')),
  turn    INTEGER NOT NULL CHECK (turn <= summary),
  place   INTEGER NOT NULL,
  PRIMARY KEY (summary, plane),
  FOREIGN KEY (turn, place) REFERENCES message (turn, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE partition (
  key     INTEGER PRIMARY KEY,
  agent   TEXT NOT NULL,
  plane   TEXT NOT NULL CHECK (plane IN ('live', 'preview')),
  scope   TEXT NOT NULL CHECK (scope IN ('session', 'agent')),
  session TEXT NOT NULL,
  UNIQUE (agent, plane, scope, session),
  CHECK ((scope = 'agent') = (session = ''))
) STRICT;

CREATE TABLE record (
  key           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  partition     INTEGER NOT NULL REFERENCES partition (key),
  turn          INTEGER NOT NULL REFERENCES turn (key),
  at            INTEGER NOT NULL,
  ordinal       INTEGER NOT NULL CHECK (ordinal >= 0),
  summary       TEXT NOT NULL CHECK (length(summary) BETWEEN 1 AND 500),
  content       TEXT,
  kind          TEXT NOT NULL,
  labels        TEXT NOT NULL,
  pinned        INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  source        TEXT NOT NULL CHECK (source IN ('tool', 'extraction')),
  replaces      TEXT NOT NULL,
  would_replace TEXT NOT NULL,
  would_delete  TEXT REFERENCES record (id),
  status        TEXT NOT NULL CHECK (status IN ('ACTIVE', 'SUPERSEDED', 'DELETED')),
  successor     TEXT REFERENCES record (id) CHECK (successor <> id),
  features      BLOB,  -- what search reads of the text, packed; it follows from the text, by what `made_by` names
  made_by       TEXT,
  UNIQUE (turn, partition, ordinal),
  CHECK (status <> 'ACTIVE' OR successor IS NULL),
  CHECK (status <> 'SUPERSEDED' OR successor IS NOT NULL)
) STRICT;
CREATE INDEX record_partition ON record (partition) WHERE status <> 'DELETED';
CREATE INDEX record_deleted ON record (partition) WHERE status = 'DELETED';

-- A record with what its turn and partition say of it, in the order that engine/rows.py reads.
CREATE VIEW whole_record AS
  SELECT r.id, p.agent, p.plane, p.scope, e.session, r.summary, r.content, r.kind, r.labels, r.pinned, r.status, r.at,
         r.ordinal, e.id AS execution, e.version, t.number AS turn, r.source, r.replaces, r.would_replace, r.would_delete,
         r.successor, r.partition, r.features, r.made_by
  FROM record r
  JOIN partition p ON p.key = r.partition
  JOIN turn t ON t.key = r.turn
  JOIN execution e ON e.key = t.execution;

-- Each change of status, with who made it and when: an execution or an operator (REC-3).
CREATE TABLE record_version (
  record    TEXT NOT NULL REFERENCES record (id),
  place     INTEGER NOT NULL,
  status    TEXT NOT NULL CHECK (status IN ('ACTIVE', 'SUPERSEDED', 'DELETED')),
  at        INTEGER NOT NULL,
  execution INTEGER REFERENCES execution (key),
  operator  TEXT,
  PRIMARY KEY (record, place),
  CHECK ((execution IS NULL) <> (operator IS NULL))
) STRICT, WITHOUT ROWID;

-- Which live record a preview would have replaced or deleted: one preview record each, for good (PRE-2).
CREATE TABLE would_end (
  record    TEXT PRIMARY KEY REFERENCES record (id),
  marker    TEXT NOT NULL REFERENCES record (id),
  partition INTEGER NOT NULL REFERENCES partition (key)
) STRICT, WITHOUT ROWID;
CREATE INDEX would_end_partition ON would_end (partition);

CREATE TRIGGER record_stays BEFORE DELETE ON record
BEGIN SELECT raise(ABORT, 'REC-3: a record is never erased'); END;

CREATE TRIGGER record_version_stays BEFORE DELETE ON record_version
BEGIN SELECT raise(ABORT, 'REC-3: a version of a record is never erased'); END;

CREATE TRIGGER record_written BEFORE UPDATE OF id, partition, turn, at, ordinal, summary, content, kind, labels, pinned,
  source, replaces, would_replace, would_delete ON record
BEGIN SELECT raise(ABORT, 'REC-3: what was written never changes'); END;

CREATE TRIGGER record_ends BEFORE UPDATE OF status, successor ON record
WHEN OLD.status = 'DELETED' OR (NEW.status <> 'DELETED' AND OLD.status <> 'ACTIVE')
BEGIN SELECT raise(ABORT, 'WRT-2: a record ends once'); END;

CREATE TRIGGER record_succeeds BEFORE UPDATE OF successor ON record
WHEN NEW.successor IS NOT NULL
  AND (SELECT partition FROM record WHERE id = NEW.successor) IS NOT OLD.partition
BEGIN SELECT raise(ABORT, 'WRT-3, PRE-2: a successor has the scope and the plane of what it replaces'); END;
