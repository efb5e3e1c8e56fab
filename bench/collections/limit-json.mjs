/**
 * Hand-written SQL that builds the representations as JSON text with one `concat`, in two thirds of the time of
 * `row_to_json`. Escapes only texts that users enter. The time zone of the connection is UTC.
 */

const text = (column) => `to_json(${column})`;
const textOrNull = (column) => `coalesce(to_json(${column}), 'null')`;
const numberOrNull = (column) => `coalesce(${column}::text, 'null')`;
const moment = (column) => `to_char(${column}, '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`;
const momentOrNull = (column) => `coalesce(${moment(column)}, 'null')`;
const reference = (column, url) =>
  `CASE WHEN ${column} IS NULL THEN 'null' ELSE concat('{"id":', ${column}, ',"url":"${url}', ${column}, '"}') END`;

/**
 * Returns SQL that builds the JSON text of a vacancy application. `t` must be the alias of `applications`, and the
 * statement must also contain the joins of `BESIDE_APPLICATIONS`.
 */
export const applicationJson = (api) => `concat(
  '{"id":', t.id, ',"uuid":"', t.uuid, '","url":"${api}/vacancy_applications/', t.id,
  '","created_dt":', ${moment('t.created_dt')}, ',"updated_dt":', ${moment('t.updated_dt')},
  ',"app_type":"vacancy_application","reference":"', t.reference, '","opportunity_id":', t.opportunity_id,
  ',"opportunity":{"id":', t.opportunity_id, ',"url":"${api}/vacancies/', t.opportunity_id,
  '","kind":"vacancy","title":', ${text('o.title')},
  '},"user":{"id":', t.user_id, ',"url":"${api}/users/', t.user_id,
  '","firstname":', ${text('u.firstname')}, ',"lastname":', ${text('u.lastname')}, ',"email":', ${text('u.email')},
  '},"candidate":{"id":', t.user_id, ',"url":"${api}/candidates/', t.user_id,
  '"},"posting":', ${reference('t.posting_id', `${api}/postings/`)},
  ',"process_state":{', s.head, ',"entered_dt":', ${moment('t.state_entered_dt')}, s.tail,
  '},"outcome":"', t.outcome, '","source":', ${textOrNull('t.source')}, ',"score":', ${numberOrNull('t.score')},
  ',"tags":', CASE WHEN t.tags = '{}' THEN '[]' ELSE array_to_json(t.tags) END, ',"rating":', ${numberOrNull('t.rating')},
  ',"submitted_dt":', ${momentOrNull('t.submitted_dt')}, ',"hired_dt":', ${momentOrNull('t.hired_dt')},
  ',"rejected_dt":', ${momentOrNull('t.rejected_dt')}, ',"withdrawn_dt":', ${momentOrNull('t.withdrawn_dt')},
  ',"copied_from":', ${reference('t.copied_from_id', `${api}/vacancy_applications/`)}, '}')`;

/**
 * SQL that joins the objects to which applications `t` refer. Look-ups row by row keep the order of the applications
 * without a sort. PostgreSQL caches repeated look-ups, such as the text of a state.
 */
export const BESIDE_APPLICATIONS = `
  LATERAL (SELECT firstname, lastname, email FROM users WHERE id = t.user_id OFFSET 0) u,
  LATERAL (SELECT title FROM opportunities WHERE id = t.opportunity_id OFFSET 0) o,
  LATERAL (
    SELECT concat('"state":', ${text('state')}, ',"state_id":', id, ',"name":', to_json(name ->> 'en'), ',"phase":', ${text('phase')}) AS head,
      concat(',"id":', id, ',"is_terminal":', is_terminal::text) AS tail
    FROM states WHERE id = t.state_id OFFSET 0
  ) s`;

/** Returns SQL that builds the JSON text of a user. The alias of the user is `t`. */
export const userJson = (api) => `concat(
  '{"id":', t.id, ',"uuid":"', t.uuid, '","url":"${api}/users/', t.id,
  '","created_dt":', ${moment('t.created_dt')}, ',"updated_dt":', ${moment('t.updated_dt')},
  ',"firstname":', ${text('t.firstname')}, ',"lastname":', ${text('t.lastname')}, ',"email":', ${text('t.email')},
  ',"type":"', t.type, '","status":"', t.status, '","language":', ${textOrNull('t.language')},
  ',"candidate":', CASE t.type WHEN 'candidate' THEN concat('{"id":', t.id, ',"url":"${api}/candidates/', t.id, '"}') ELSE 'null' END,
  ',"recruiter":', CASE t.type WHEN 'recruiter' THEN concat('{"id":', t.id, ',"url":"${api}/recruiters/', t.id, '"}') ELSE 'null' END, '}')`;
