//! The tables, in the schema that the connection names first in its search path.

/// Creates what is not there yet. Every table carries the sweep's name, so that one database serves many.
pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS lydian_sweep (
    name text PRIMARY KEY,
    queue_version integer NOT NULL,
    harness_version text NOT NULL,
    dataset_sha256 text NOT NULL,
    budget_nanos bigint CHECK (budget_nanos > 0),
    allow_unpriced boolean NOT NULL,
    interval_us bigint,
    spent_nanos bigint NOT NULL DEFAULT 0,
    reserved_nanos bigint NOT NULL DEFAULT 0,
    perhaps_paid_nanos bigint NOT NULL DEFAULT 0,
    next_slot timestamptz NOT NULL DEFAULT now(),
    last_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    blocked_until timestamptz NOT NULL DEFAULT '-infinity'
);
ALTER TABLE lydian_sweep ADD COLUMN IF NOT EXISTS last_seen timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE TABLE IF NOT EXISTS lydian_run (
    sweep text NOT NULL REFERENCES lydian_sweep (name) ON DELETE CASCADE,
    setup_fingerprint text NOT NULL,
    setup text NOT NULL,
    began timestamptz,
    PRIMARY KEY (sweep, setup_fingerprint)
);
CREATE TABLE IF NOT EXISTS lydian_chunk (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sweep text NOT NULL,
    run text NOT NULL,
    first_entry integer NOT NULL,
    entries integer NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'leased', 'done', 'dead')),
    token bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    worker text,
    lease_until timestamptz,
    last_error text,
    UNIQUE (sweep, run, first_entry),
    FOREIGN KEY (sweep, run) REFERENCES lydian_run (sweep, setup_fingerprint) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS lydian_chunk_open ON lydian_chunk (sweep, id) WHERE state IN ('open', 'leased');
CREATE TABLE IF NOT EXISTS lydian_worker (
    id text PRIMARY KEY,
    sweep text NOT NULL REFERENCES lydian_sweep (name) ON DELETE CASCADE,
    program text NOT NULL,
    began timestamptz NOT NULL DEFAULT clock_timestamp(),
    alive_until timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS lydian_reservation (
    id text PRIMARY KEY,
    sweep text NOT NULL REFERENCES lydian_sweep (name) ON DELETE CASCADE,
    worker text NOT NULL,
    nanos bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS lydian_record (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sweep text NOT NULL,
    run text NOT NULL,
    number bigint,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    record text NOT NULL,
    FOREIGN KEY (sweep, run) REFERENCES lydian_run (sweep, setup_fingerprint) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS lydian_record_run ON lydian_record (sweep, run, id);
CREATE SEQUENCE IF NOT EXISTS lydian_request;
CREATE TABLE IF NOT EXISTS lydian_answer (
    sweep text NOT NULL,
    run text NOT NULL,
    entry_id text NOT NULL,
    failed boolean NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    worker text NOT NULL,
    prediction text NOT NULL,
    PRIMARY KEY (sweep, run, entry_id),
    FOREIGN KEY (sweep, run) REFERENCES lydian_run (sweep, setup_fingerprint) ON DELETE CASCADE
);
";

/// Moves every time of a sweep back by as much as the database's clock was set back; differences of less than half a minute are
/// none, because a statement may have waited for its row. Otherwise slots and leases would last until the clock is where it was.
pub(super) const FOLLOW_CLOCK: &str = "
WITH jump AS (
    SELECT name, last_seen - clock_timestamp() AS back FROM lydian_sweep
    WHERE name = $1 AND last_seen > clock_timestamp() + interval '30 seconds'
    FOR UPDATE
), slots AS (
    UPDATE lydian_sweep AS sweep
    SET next_slot = next_slot - back, blocked_until = blocked_until - back, last_seen = last_seen - back
    FROM jump WHERE sweep.name = jump.name
), leases AS (
    UPDATE lydian_chunk AS chunk SET lease_until = lease_until - back
    FROM jump WHERE chunk.sweep = jump.name AND state = 'leased'
), workers AS (
    UPDATE lydian_worker AS worker SET alive_until = alive_until - back
    FROM jump WHERE worker.sweep = jump.name
)
SELECT EXISTS (SELECT 1 FROM jump)";

/// Ends the leases of workers that are gone, and counts what they had reserved as perhaps paid: a request that was sent
/// may have been charged.
pub(super) const REAP: &str = "
WITH gone AS (
    DELETE FROM lydian_reservation AS reservation
    USING lydian_worker AS worker
    WHERE reservation.sweep = $1 AND worker.id = reservation.worker AND worker.alive_until < clock_timestamp()
    RETURNING reservation.nanos
), lost AS (SELECT coalesce(sum(nanos), 0)::bigint AS nanos FROM gone)
UPDATE lydian_sweep
SET reserved_nanos = reserved_nanos - lost.nanos,
    spent_nanos = spent_nanos + lost.nanos,
    perhaps_paid_nanos = perhaps_paid_nanos + lost.nanos
FROM lost
WHERE name = $1 AND lost.nanos > 0";
