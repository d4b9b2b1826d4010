-- What the last runs of each week say, and what is measured of it. Read beside docs/explanation/scorecard-method.md.

CREATE VIEW seen AS
SELECT runs.*, date_trunc('week', started)::DATE AS monday
FROM runs, card
WHERE started <= as_of AND date_trunc('week', started)::DATE > last - 7 * weeks;

CREATE TABLE said AS  -- of several verdicts of one run the worst
SELECT v.*, s.started, s.scored, s.monday
FROM verdicts v JOIN seen s USING (environment, run)
QUALIFY row_number() OVER (
  PARTITION BY environment, run, name, subject
  ORDER BY list_position(['fail', 'unknown', 'pass', 'not_applicable'], outcome), line) = 1;

CREATE TABLE asked AS
SELECT DISTINCT d.*, s.started, s.started_at, s.scored, s.monday, s.file
FROM definitions d JOIN seen s USING (environment, run)
QUALIFY row_number() OVER (
  PARTITION BY environment, run, name ORDER BY runbook, severity, check_digest, runbook_version) = 1;

CREATE TABLE calendar AS
SELECT (last - 7 * n)::DATE AS monday, least(as_of, (last - 7 * n + 7)::TIMESTAMP) AS ends,
  (SELECT arg_max(file, (taken, file)) FROM snapshots WHERE taken < last - 7 * n + 7 AND taken <= as_of) AS plan
FROM card, (SELECT range::INTEGER AS n FROM card, range(weeks));

CREATE TABLE due AS  -- a runbook of an environment in a week, and its last run up to then
WITH counting AS (
  SELECT DISTINCT environment, runbook, run, started, started_at, scored, monday, file FROM asked
  WHERE scored OR environment NOT IN (SELECT environment FROM asked WHERE scored)
), pairs AS (
  SELECT DISTINCT environment, runbook, c.monday FROM counting x JOIN calendar c ON x.monday <= c.monday
  UNION
  SELECT environment, runbook, monday FROM planned JOIN calendar ON file = plan
), newest AS (
  SELECT p.environment, p.runbook, p.monday,
    arg_max({run: x.run, started: x.started, started_at: x.started_at, scored: x.scored, monday: x.monday, file: x.file},
      (x.started, x.run)) AS last
  FROM pairs p LEFT JOIN counting x
    ON x.environment = p.environment AND x.runbook = p.runbook AND x.monday <= p.monday
  GROUP BY ALL
)
SELECT n.environment, n.runbook, n.monday, c.ends, c.plan, n.last,
  NOT coalesce(n.last.scored AND n.last.monday = n.monday, false) AS silent,
  EXISTS (FROM planned p WHERE p.file = c.plan AND p.environment = n.environment AND p.runbook = n.runbook) AS planned
FROM newest n JOIN calendar c USING (monday);

DELETE FROM due WHERE plan IS NOT NULL AND silent AND NOT planned;

CREATE TABLE wanted AS
WITH by_run AS (
  SELECT d.*, a.name, a.severity, a.check_digest, a.runbook_version
  FROM due d JOIN asked a ON a.environment = d.environment AND a.run = d.last.run AND a.runbook = d.runbook
  WHERE NOT (silent AND planned)
)
SELECT *, true AS was_asked FROM by_run
UNION ALL
SELECT d.*, p.name, p.severity, p.check_digest, p.runbook_version, false
FROM due d JOIN planned_checks p ON p.file = d.plan AND p.runbook = d.runbook
WHERE planned AND NOT EXISTS (
  FROM by_run b
  WHERE b.environment = d.environment AND b.runbook = d.runbook AND b.monday = d.monday AND b.name = p.name);

CREATE TABLE states AS
SELECT strftime(w.monday, '%G-W%V') AS week, w.monday, w.ends, w.environment, w.name, w.runbook, w.runbook_version,
  w.check_digest, w.severity, w.silent, coalesce(s.subject, w.environment) AS subject,
  coalesce(s.outcome, 'missing') AS outcome, coalesce(s.waived, false) AS waived,
  coalesce(s.unobserved, false) AS unobserved,
  CASE WHEN s.outcome IS NOT NULL THEN s.reason
       WHEN w.silent THEN 'no scheduled, complete run of its runbook in this week'
       WHEN w.was_asked THEN 'the run ' || w.last.run || ' was to judge it and holds no readable verdict'
       ELSE 'it is expected, and the run ' || w.last.run || ' was not to judge it' END AS reason,
  s.title, s.judged, s.failed, s.rows, s.common, s.waiver, s.proof,
  CASE WHEN NOT w.silent THEN w.last.run END AS run,
  CASE WHEN NOT w.silent THEN w.last.started_at END AS run_at,
  CASE WHEN NOT w.silent THEN w.last.started END AS decided,
  CASE WHEN NOT w.silent THEN w.last.file END AS file,
  CASE WHEN w.last.scored THEN w.last.run END AS last_run,
  CASE WHEN w.last.scored THEN w.last.started END AS last_at,
  w.monday = card.last AS latest
FROM card, wanted w LEFT JOIN said s
  ON NOT w.silent AND s.environment = w.environment AND s.run = w.last.run AND s.name = w.name;

CREATE MACRO days(a, b) AS ((epoch_us(b) // 1000000) - (epoch_us(a) // 1000000)) // 86400;
CREATE MACRO text_of(t) AS strftime(t, '%Y-%m-%dT%H:%M:%SZ');
CREATE MACRO share(part, whole) AS CASE WHEN whole > 0 THEN (part * 1000 // whole) / 10.0 END;

-- Known scored verdicts, with the one before; an unknown says nothing.
CREATE TABLE known AS
SELECT *, lag(outcome) OVER w AS before, lag(started) OVER w AS began_before,
  count(*) FILTER (outcome <> 'fail') OVER w AS spell
FROM said WHERE scored AND outcome <> 'unknown'
WINDOW w AS (PARTITION BY environment, name, subject ORDER BY started, run);

CREATE TABLE began AS  -- each failing verdict, with the first of its unbroken failing
SELECT environment, name, subject, run, first_value(started) OVER w AS since, first_value(run) OVER w AS since_run
FROM known WHERE outcome = 'fail'
WINDOW w AS (PARTITION BY environment, name, subject, spell ORDER BY started, run);

CREATE TABLE now AS
SELECT s.*, b.since, b.since_run, days(decided, ends) AS age_days,
  CASE WHEN s.outcome = 'fail' THEN days(b.since, ends) END AS failing_days
FROM states s LEFT JOIN began b
  ON s.outcome = 'fail' AND b.environment = s.environment AND b.name = s.name AND b.subject = s.subject AND b.run = s.run
WHERE latest;

CREATE TABLE groups AS
WITH repeated AS (
  SELECT s.* EXCLUDE (runbook, severity), CASE WHEN g = 1 THEN '*' ELSE runbook END AS runbook,
    CASE WHEN g < 3 THEN '*' ELSE severity END AS severity,
    CASE severity WHEN 'info' THEN 1 WHEN 'low' THEN 2 WHEN 'medium' THEN 4 WHEN 'high' THEN 8 ELSE 16 END AS weight
  FROM states s, range(1, 4) AS r(g)
)
SELECT week, monday, environment, runbook, severity,
  count(*) FILTER (outcome = 'pass') AS passed,
  count(*) FILTER (outcome = 'fail' AND NOT waived) AS failed,
  count(*) FILTER (outcome = 'fail' AND waived) AS waived,
  count(*) FILTER (outcome = 'unknown' AND NOT unobserved) AS unknown,
  count(*) FILTER (outcome = 'unknown' AND unobserved) AS unobserved,
  count(*) FILTER (outcome = 'missing') AS missing,
  count(*) FILTER (outcome = 'not_applicable') AS not_applicable,
  count(*) AS expected,
  coalesce(sum(weight) FILTER (outcome <> 'not_applicable'), 0)::BIGINT AS whole,
  coalesce(sum(weight) FILTER (outcome = 'pass'), 0)::BIGINT AS passing,
  coalesce(sum(weight) FILTER (outcome = 'fail' AND waived), 0)::BIGINT AS excused,
  bool_and(silent) AS silent,
  arg_max(last_run, (last_at, last_run)) FILTER (last_at IS NOT NULL) AS last_run,
  max(last_at) AS last_at, max(ends) AS ends,
  list(DISTINCT name || ' ' || check_digest ORDER BY name || ' ' || check_digest) AS checks
FROM repeated GROUP BY ALL;

CREATE TABLE scored AS
SELECT *, CASE WHEN silent THEN 'silent' WHEN expected = not_applicable THEN 'not_applicable'
    WHEN (passed + failed + waived) * 10 < (expected - not_applicable) * 9 THEN 'unknown' ELSE 'scored' END AS status,
  CASE WHEN status = 'scored' THEN (passing + excused) * 1000 // whole END AS tenths,
  CASE WHEN status = 'scored' THEN share(passing, whole) END AS score_raw
FROM groups;

CREATE VIEW out_scores AS
SELECT a.week, a.environment, a.runbook, a.severity, a.status, a.tenths / 10.0 AS score, a.score_raw, a.passed, a.failed,
  a.waived, a.unknown, a.unobserved, a.missing, a.not_applicable, a.expected,
  share(a.passed + a.failed + a.waived, a.expected - a.not_applicable) AS coverage,
  a.last_run, text_of(a.last_at) AS last_at, days(a.last_at, a.ends) AS age_days,
  (a.tenths - b.tenths) / 10.0 AS change, coalesce(a.checks <> b.checks, false) AS redefined
FROM scored a LEFT JOIN scored b
  ON b.monday = a.monday - 7 AND b.environment = a.environment AND b.runbook = a.runbook AND b.severity = a.severity;

CREATE VIEW out_trend AS
WITH lines AS (SELECT DISTINCT environment, runbook FROM groups),
shown AS (
  SELECT monday, strftime(monday, '%G-W%V') AS week FROM calendar WHERE monday >= (SELECT min(monday) FROM states))
SELECT l.environment, l.runbook, list(w.week ORDER BY w.monday) AS weeks,
  list(coalesce(status, 'none') ORDER BY w.monday) AS status, list(score ORDER BY w.monday) AS score,
  list(score_raw ORDER BY w.monday) AS score_raw, list(coverage ORDER BY w.monday) AS coverage,
  list(redefined ORDER BY w.monday) AS redefined, list(failed ORDER BY w.monday) AS failed,
  list(waived ORDER BY w.monday) AS waived
FROM lines l CROSS JOIN shown w LEFT JOIN out_scores s
  ON s.environment = l.environment AND s.runbook = l.runbook AND s.severity = '*' AND s.week = w.week
GROUP BY ALL;

CREATE VIEW out_states AS
SELECT environment, name AS "check", subject, runbook, runbook_version, check_digest, severity, title, waived, reason,
  judged, run, run_at, file, age_days, outcome, proof
FROM now;

CREATE VIEW out_failing AS
SELECT environment, name AS "check", subject, runbook, runbook_version, check_digest, severity, title, waived, reason,
  judged, run, run_at, file, age_days, since_run, text_of(since) AS since_at, strftime(since, '%G-W%V') AS since_week,
  failing_days, failed, rows, common, waiver
FROM now WHERE outcome = 'fail';

CREATE VIEW out_changes AS
WITH compared AS (
  SELECT n.*, b.outcome AS before,
    (SELECT arg_max(k.outcome, (k.started, k.run)) FROM known k, card
     WHERE k.environment = n.environment AND k.name = n.name AND k.subject = n.subject AND k.started < card.last
    ) AS last_known,
    (SELECT count(*) FROM known k, card
     WHERE k.environment = n.environment AND k.name = n.name AND k.subject = n.subject
       AND k.started > card.as_of - INTERVAL 28 DAY
       AND ((k.outcome = 'pass' AND k.before = 'fail') OR (k.outcome = 'fail' AND k.before = 'pass'))) AS flips,
    EXISTS (FROM states e WHERE e.environment = n.environment AND e.monday < n.monday AND NOT e.silent) AS heard_before
  FROM now n LEFT JOIN states b
    ON b.monday = n.monday - 7 AND b.environment = n.environment AND b.name = n.name AND b.subject = n.subject
), news AS (
  SELECT *, 'newly_failing' AS change FROM compared WHERE outcome = 'fail' AND last_known IS DISTINCT FROM 'fail'
    AND heard_before
  UNION ALL SELECT *, 'fixed' FROM compared WHERE outcome = 'pass' AND last_known = 'fail'
  UNION ALL SELECT *, 'newly_unknown' FROM compared
    WHERE outcome IN ('unknown', 'missing') AND NOT silent AND before NOT IN ('unknown', 'missing')
  UNION ALL SELECT *, 'flapping' FROM compared WHERE flips >= 3
)
SELECT environment, name AS "check", subject, change, runbook, severity, title, before, outcome AS now, waived, reason, run,
  run_at, file, flips
FROM news;

CREATE VIEW out_checks AS
WITH fixed AS (
  -- The failing that a pass ends began with its first verdict; what is between them fails too.
  SELECT k.name, epoch_us(k.started) - epoch_us(b.since) AS took
  FROM known k JOIN known p ON k.before = 'fail' AND k.outcome = 'pass' AND p.environment = k.environment
    AND p.name = k.name AND p.subject = k.subject AND p.outcome = 'fail' AND p.spell = k.spell - 1
    JOIN began b ON b.environment = p.environment AND b.name = p.name AND b.subject = p.subject AND b.run = p.run
  QUALIFY row_number() OVER (PARTITION BY k.environment, k.name, k.subject, k.run ORDER BY p.started, p.run) = 1
)
SELECT name AS "check", max(runbook) AS runbook,
  arg_max(severity, list_position(['info', 'low', 'medium', 'high', 'critical'], severity)) AS severity,
  arg_max(title, (run_at, environment, subject)) FILTER (title IS NOT NULL) AS title,
  count(*) FILTER (outcome <> 'not_applicable') AS applicable, count(*) FILTER (outcome = 'pass') AS passing,
  count(*) FILTER (outcome = 'fail' AND NOT waived) AS failing,
  count(*) FILTER (outcome = 'fail' AND waived) AS waived,
  count(*) FILTER (outcome IN ('unknown', 'missing')) AS unknown,
  (SELECT count(*) FROM fixed f WHERE f.name = n.name) AS fixes,
  (SELECT (quantile_disc(took, 0.5) // 8640000000) / 10.0 FROM fixed f WHERE f.name = n.name) AS median_fix_days,
  max(failing_days) AS oldest_days,
  coalesce(list({environment: environment, subject: subject, since_week: strftime(since, '%G-W%V'),
    failing_days: failing_days, waived: waived} ORDER BY since, environment, subject)
    FILTER (outcome = 'fail'), []) AS failing_in
FROM now n GROUP BY name;

CREATE VIEW out_waivers AS
WITH last_runs AS (
  SELECT environment, runbook, arg_max(run, (started, run)) AS run FROM asked WHERE scored GROUP BY ALL
), listed AS (
  SELECT d.environment, d.name, owner, expires, rows, min(reason) AS reason, bool_or(needed) AS needed, max(d.run) AS run,
    max(r.started_at) AS run_at
  FROM declared d JOIN runs r USING (environment, run)
    JOIN last_runs l ON l.environment = d.environment AND l.run = d.run AND l.runbook = split_part(d.name, '/', 1)
  GROUP BY ALL
)
SELECT environment, name AS "check", owner, expires, rows, reason,
  CASE WHEN left_over < 0 THEN 'expired' WHEN NOT needed THEN 'unused' WHEN left_over <= 14 THEN 'expiring'
    ELSE 'in_force' END AS state,
  left_over AS days_left, run, run_at
FROM (SELECT *, expires::DATE - as_of::DATE AS left_over FROM listed, card);

CREATE VIEW out_drills AS
SELECT environment, name AS "check", subject, severity, title, outcome, reason, run_at, age_days
FROM now
WHERE outcome NOT IN ('pass', 'not_applicable') AND name IN (SELECT name FROM states WHERE proof = 'drilled');

CREATE VIEW out_definitions AS
WITH one AS (
  SELECT week, monday, environment, name, runbook, min((check_digest, runbook_version)) AS definition
  FROM states GROUP BY ALL
)
SELECT a.week, a.name AS "check", a.runbook, count(*) AS environments,
  arg_min(a.definition[2], a.environment) AS runbook_version, arg_min(b.definition[2], a.environment) AS before_version
FROM one a JOIN one b ON b.monday = a.monday - 7 AND b.environment = a.environment AND b.name = a.name
  AND b.runbook = a.runbook
WHERE a.definition[1] <> b.definition[1]
GROUP BY a.week, a.name, a.runbook;
