import { createServer } from 'node:http';
import pg from 'pg';
import { applicationJson, BESIDE_APPLICATIONS } from '../collections/limit-json.mjs';
import { candidateJson, vacancyJson } from './limit-json.mjs';

/**
 * The limit server: the API cannot be faster than this server. It writes the rows that the API must write: the item,
 * the history entry and the event. The triggers of the database add the changes of the feed. The server has no
 * framework, no credentials and no checks, and each statement is prepared.
 */
const { DATABASE_URL, PORT, PUBLIC_BASE_URL, POOL_SIZE, RECRUITER_ID } = process.env;
const options = '-c TimeZone=UTC -c jit=off';
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(POOL_SIZE),
  application_name: 'bench-limit',
  options,
});
const api = `${PUBLIC_BASE_URL}/api/v1`;

/** Locks that keep ids of events and of history entries in the order of their commits (`ADVISORY_LOCKS`). */
const [EVENTS, HISTORY] = [process.env.EVENTS_LOCK, process.env.HISTORY_LOCK].map(Number);

const moment = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const facts = (root, columns) =>
  `jsonb_build_object(${Object.entries(columns)
    .map(([name, sql]) => `'${root}.${name}', ${sql}`)
    .join(', ')})`;
const same = (...names) => Object.fromEntries(names.map((name) => [name, `t.${name}`]));
const dates = (...names) => Object.fromEntries(names.map((name) => [name, `to_char(t.${name}, 'YYYY-MM-DD')`]));
const moments = (...names) => Object.fromEntries(names.map((name) => [name, moment(`t.${name}`)]));

const FACTS = {
  job_board: facts('job_board', {
    ...same('id', 'uuid', 'name', 'code', 'base_url', 'is_active', 'is_public', 'is_internal'),
    ...moments('created_dt', 'updated_dt'),
  }),
  candidate: facts('candidate', { ...same('id', 'uuid', 'status'), ...moments('created_dt', 'updated_dt') }),
  vacancy: facts('vacancy', {
    ...same(
      'id',
      'uuid',
      'kind',
      'reference',
      'title',
      'location',
      'department',
      'tags',
      'employment_type',
      'openings',
    ),
    ...same('salary_min', 'salary_max', 'salary_currency'),
    ...moments('created_dt', 'updated_dt', 'state_entered_dt'),
    ...dates('opening_date', 'closing_date'),
    'state.id': 't.state_id',
    'owner.id': 't.owner_id',
    'system.id': 't.system_id',
    'process.id': 't.process_id',
  }),
  application: facts('application', {
    ...same('id', 'uuid', 'app_type', 'reference', 'opportunity_id', 'outcome', 'score', 'rating'),
    ...moments('created_dt', 'updated_dt', 'submitted_dt', 'hired_dt', 'rejected_dt', 'withdrawn_dt'),
    'opportunity.id': 't.opportunity_id',
    'user.id': 't.user_id',
    'candidate.id': 't.user_id',
    'posting.id': 't.posting_id',
    'copied_from.id': 't.copied_from_id',
  }),
};
const TABLES = { job_board: 'job_boards', candidate: 'users', vacancy: 'opportunities', application: 'applications' };

const addEvents = (root) => `INSERT INTO domain_events
  (type, subject_type, subject_id, recruiter_id, time_zone, facts, request_id)
  SELECT $1, '${root}', t.id, ${RECRUITER_ID}, s.timezone, ${FACTS[root]}, $3
  FROM (SELECT pg_advisory_xact_lock_shared(${EVENTS})) locked, (SELECT timezone FROM systems LIMIT 1) s,
    ${TABLES[root]} t WHERE t.id = ANY($2::bigint[]) ORDER BY t.id`;
const ADD_HISTORY = `INSERT INTO history_entries (subject_type, subject_id, type, date, recruiter_id, to_state_id, changes)
  SELECT $1, e.id, $2, clock_timestamp(), ${RECRUITER_ID}, $3::bigint, e.changes
  FROM (SELECT pg_advisory_xact_lock_shared(${HISTORY})) locked, unnest($4::bigint[], $5::jsonb[]) e(id, changes)`;
const READ_CANDIDATE = `SELECT ${candidateJson(api)} AS text FROM users t WHERE t.id = $1`;
const READ_VACANCY = `SELECT ${vacancyJson(api)} AS text FROM opportunities t JOIN states s ON s.id = t.state_id
  JOIN processes p ON p.id = t.process_id WHERE t.id = $1`;
const READ = `SELECT ${applicationJson(api)} AS text FROM (SELECT * FROM applications WHERE id = $1) t, ${BESIDE_APPLICATIONS}`;

/** Runs `work` in a transaction. `work` gets a function that runs a prepared statement and returns its rows. */
async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(async (name, text, values) => (await client.query({ name, text, values })).rows);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const addEvent = (run, root, type, ids, requestId) => run(`event of ${root}`, addEvents(root), [type, ids, requestId]);
const addHistory = (run, type, { subject = 'application', stateId = null, ids, changes }) =>
  run('history', ADD_HISTORY, [subject, type, stateId, ids, changes ?? ids.map(() => null)]);

const change = (path, old, value) => ({ path, old, new: value });

/** Sets the values of an application. @param values  by column */
async function changeApplication(id, values, requestId) {
  return transaction(async (run) => {
    const [old] = await run('lock', 'SELECT rating, source, tags FROM applications WHERE id = $1 FOR UPDATE', [id]);
    const { rating, source, tags } = { ...old, ...values };
    await run(
      'update application',
      'UPDATE applications SET rating = $2, source = $3, tags = $4, updated_dt = clock_timestamp() WHERE id = $1',
      [id, rating, source, tags],
    );
    const changes = Object.entries({ source, tags, rating })
      .filter(([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value))
      .map(([name, value]) => change(`/${name}`, old[name], value));
    await addHistory(run, 'field_change', { ids: [id], changes: [JSON.stringify(changes)] });
    const [{ text }] = await run('read', READ, [id]);
    await addEvent(run, 'application', 'APPLICATION_UPDATE', [id], requestId);
    return text;
  });
}

/** Sets the values of a job board. */
async function changeBoard(id, values, requestId) {
  return transaction(async (run) => {
    const columns = Object.keys(values);
    const sets = columns.map((column, index) => `${column} = $${index + 2}`);
    const [row] = await run(
      `update board ${columns}`,
      `UPDATE job_boards SET ${sets}, updated_dt = clock_timestamp() WHERE id = $1 RETURNING *`,
      [id, ...Object.values(values)],
    );
    await addEvent(run, 'job_board', 'JOB_BOARD_UPDATE', [id], requestId);
    return JSON.stringify({ ...row, url: `${api}/job_boards/${id}` });
  });
}

/** Sets one value of a candidate, and keeps the others. */
const changeCandidate = (id, { lastname }, requestId) =>
  transaction(async (run) => {
    const [old] = await run('lock candidate', 'SELECT lastname FROM users WHERE id = $1 FOR UPDATE', [id]);
    await run('update candidate', 'UPDATE users SET lastname = $2, updated_dt = clock_timestamp() WHERE id = $1', [
      id,
      lastname,
    ]);
    const changes = JSON.stringify([change('/lastname', old.lastname, lastname)]);
    await addHistory(run, 'field_change', { subject: 'candidate', ids: [id], changes: [changes] });
    const [{ text }] = await run('read candidate', READ_CANDIDATE, [id]);
    await addEvent(run, 'candidate', 'CANDIDATE_UPDATE', [id], requestId);
    return text;
  });

/** Sets one value of a vacancy, and keeps the others. */
const changeVacancy = (id, { title }, requestId) =>
  transaction(async (run) => {
    const [old] = await run('lock vacancy', 'SELECT title FROM opportunities WHERE id = $1 FOR UPDATE', [id]);
    await run('update vacancy', 'UPDATE opportunities SET title = $2, updated_dt = clock_timestamp() WHERE id = $1', [
      id,
      title,
    ]);
    const changes = JSON.stringify([change('/title', old.title, title)]);
    await addHistory(run, 'field_change', { subject: 'opportunity', ids: [id], changes: [changes] });
    const [{ text }] = await run('read vacancy', READ_VACANCY, [id]);
    await addEvent(run, 'vacancy', 'VACANCY_UPDATE', [id], requestId);
    return text;
  });

async function apply({ opportunity_id, candidate: { firstname, lastname, email } }, requestId) {
  return transaction(async (run) => {
    const [{ id: userId }] = await run(
      'candidate',
      `INSERT INTO users (type, firstname, lastname, email) VALUES ('candidate', $1, $2, $3) RETURNING id`,
      [firstname, lastname, email],
    );
    await addHistory(run, 'created', { subject: 'candidate', ids: [userId] });
    const [{ id, state_id: stateId }] = await run(
      'application',
      `INSERT INTO applications (app_type, opportunity_id, user_id, state_id, outcome, is_live)
       SELECT 'vacancy_application', o.id, $2, s.id, s.outcome, s.is_live
       FROM opportunities o JOIN states s ON s.process_id = o.process_id AND s.is_initial WHERE o.id = $1
       RETURNING id, state_id`,
      [opportunity_id, userId],
    );
    await addHistory(run, 'created', { ids: [id], stateId });
    const [{ text }] = await run('read', READ, [id]);
    await addEvent(run, 'candidate', 'CANDIDATE_CREATE', [userId], requestId);
    await addEvent(run, 'application', 'APPLICATION_CREATE', [id], requestId);
    return text;
  });
}

/** Sets one form value of each application. */
async function writeValues({ items }, requestId) {
  const ids = items.map(({ id }) => id);
  const [itemIds, texts] = ['item_id', 'value'].map((name) => items.map(({ form_values: [value] }) => value[name]));
  return transaction(async (run) => {
    const old = await run(
      'old values',
      `SELECT v.text_value AS value FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS g(id, item, place)
       LEFT JOIN application_form_values v ON v.owner_id = g.id AND v.item_id = g.item ORDER BY g.place`,
      [ids, itemIds],
    );
    await run(
      'values',
      `INSERT INTO application_form_values (owner_id, item_id, section_instance, form_instance, text_value)
       SELECT g.id, g.item, 1, 1, g.text FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS g(id, item, text)
       ON CONFLICT (owner_id, item_id, form_instance, section_instance) DO UPDATE SET text_value = excluded.text_value`,
      [ids, itemIds, texts],
    );
    await run('touch', 'UPDATE applications SET updated_dt = clock_timestamp() WHERE id = ANY($1)', [ids]);
    await addHistory(run, 'form_submitted', {
      ids,
      changes: ids.map((_, index) =>
        JSON.stringify([change(`/form_values/${itemIds[index]}:1:1`, old[index].value, texts[index])]),
      ),
    });
    await addEvent(run, 'application', 'FORM_VALUES_CHANGE', ids, requestId);
    return JSON.stringify({ changed: ids.length });
  });
}

/** Returns all values that a PUT sets. Values that the body leaves out get their defaults. */
const wholeApplication = ({ rating = null, source = null, tags = [] }) => ({ rating, source, tags });
const wholeBoard = ({ name, code, base_url = null, is_active = true, is_public = false, is_internal = false }) => ({
  ...{ name, code, base_url, is_active, is_public, is_internal },
});

function answer(method, url, body, requestId) {
  const [, , , collection, id] = url.split('/');
  if (method === 'POST') return id === 'bulk_form_values' ? writeValues(body, requestId) : apply(body, requestId);
  if (collection === 'candidates') return changeCandidate(Number(id), body, requestId);
  if (collection === 'vacancies') return changeVacancy(Number(id), body, requestId);
  if (collection === 'job_boards')
    return changeBoard(Number(id), method === 'PUT' ? wholeBoard(body) : body, requestId);
  return changeApplication(Number(id), method === 'PUT' ? wholeApplication(body) : body, requestId);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'GET') return response.writeHead(200).end();
    answer(request.method, request.url, JSON.parse(Buffer.concat(chunks)), crypto.randomUUID()).then(
      (text) => {
        const encoded = Buffer.from(text);
        response
          .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': encoded.length })
          .end(encoded);
      },
      (error) => response.writeHead(500).end(error.stack),
    );
  });
});

server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  pool.end();
});
