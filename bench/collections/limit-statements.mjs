import { applicationJson, BESIDE_APPLICATIONS, userJson } from './limit-json.mjs';

const PAGE = 100;

/** Returns the condition of `filter` and `=~` on a folded column (lower case, independent of language). */
const contains = (column, parameter) =>
  `${column} LIKE translate(lower(${parameter}::text COLLATE "und-x-icu"), 'ς', 'σ')`;
const pattern = (text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * Maps a workload to its SQL condition. `k` is a row of the applications, or of the users for w5. The pages and the
 * true count use the same condition. `$1` and `$2` are the values of the request.
 */
export const CONDITIONS = {
  w1: `k.app_type = 'vacancy_application'`,
  w2: `k.app_type = 'vacancy_application' AND k.state_id = (SELECT id FROM states WHERE state = $1 AND process_id = 1)
    AND EXISTS (SELECT FROM users u WHERE u.id = k.user_id AND ${contains('u.lastname_folded', '$2')})`,
  w3: `k.app_type = 'vacancy_application' AND k.created_dt >= $2::timestamptz
    AND k.opportunity_id = ANY(ARRAY(SELECT id FROM opportunities WHERE kind = 'vacancy' AND ${contains('title_folded', '$1')}))`,
  w5: contains('k.user_search_text', '$1'),
};

/** Maps each workload to a function that reads `$1` and `$2` from the parameters of a request. */
export const valuesOf = {
  w1: () => [],
  w2: (query) => [query.get('state'), pattern(query.get('lastname'))],
  w3: (query) => [pattern(query.get('title')), query.get('since')],
  w5: (query) => [pattern(query.get('text'))],
};

/**
 * Answers the requests of the five workloads. A request whose plan does not depend on values is one prepared statement.
 * Any other request first finds the ids with a plan for its values, and then reads these rows with a prepared
 * statement.
 * @param {import('pg').Pool} pool
 * @returns {Record<string, (query: URLSearchParams) => Promise<string>>} the body by the request's path
 */
export function limitAnswers(pool, baseUrl) {
  const api = `${baseUrl}/api/v1`;
  const applications = `SELECT string_agg(${applicationJson(api)}, ',') AS items FROM`;
  const inOrderOfIds = (table) =>
    `unnest($1::bigint[]) p(id), LATERAL (SELECT * FROM ${table} WHERE id = p.id OFFSET 0) t`;
  const pageAfter = `${applications} (SELECT * FROM applications WHERE app_type = 'vacancy_application' AND id > $1 ORDER BY id LIMIT ${PAGE}) t, ${BESIDE_APPLICATIONS}`;
  const applicationsById = `${applications} ${inOrderOfIds('applications')}, ${BESIDE_APPLICATIONS}`;
  const usersById = `SELECT string_agg(${userJson(api)}, ',') AS items FROM ${inOrderOfIds('users')}`;

  // Adds the brackets of the JSON array here, because PostgreSQL would copy the text twice more to add them.
  const body = async (name, text, values) => `[${(await pool.query({ name, text, values })).rows[0].items ?? ''}]`;
  const ids = async (table, condition, order, values) => {
    const { rows } = await pool.query({
      text: `SELECT k.id FROM ${table} k WHERE ${condition} ORDER BY ${order} LIMIT ${PAGE}`,
      values,
      rowMode: 'array',
    });
    return [rows.map(([id]) => id)];
  };
  return {
    '/w1': () => body('after', pageAfter, [0]),
    '/w2': async (query) =>
      body(
        'applications',
        applicationsById,
        await ids('applications', CONDITIONS.w2, 'k.created_dt DESC, k.id', valuesOf.w2(query)),
      ),
    '/w3': async (query) =>
      body('applications', applicationsById, await ids('applications', CONDITIONS.w3, 'k.id', valuesOf.w3(query))),
    '/w4': (query) => body('after', pageAfter, [query.get('after')]),
    '/w5': async (query) => body('users', usersById, await ids('users', CONDITIONS.w5, 'k.id', valuesOf.w5(query))),
  };
}
