import { linkTo } from './client.mjs';

const COLLECTION = '/api/v1/applications';

/** Number of measured pages around the deep page. */
export const DEEP_PAGES = 200;

/**
 * @typedef {object} Request one request to both servers
 * @property {string} api path and query at the API
 * @property {string} limit path and query at the limit server
 * @property {URLSearchParams} [query] the values for the limit server, by parameter name
 */

/**
 * @typedef {object} Workload
 * @property {string} part name of the workload, such as `w2`
 * @property {string} title
 * @property {Request[]} requests sent in turn, so that no cached answer helps
 */

/**
 * Builds the workloads w1, w2, w3 and w5. Unlike w4, their requests do not follow the `next` links of earlier answers.
 * @returns {Promise<Workload[]>}
 */
export async function findWorkloads(database) {
  const dates = await recentDates(database);
  return [
    { part: 'w1', title: 'first page', requests: [{ api: COLLECTION, limit: '/w1', query: new URLSearchParams() }] },
    {
      part: 'w2',
      title: 'state and last name, newest first',
      requests: product(
        ['submitted', 'rejected', 'in_review', 'withdrawn'],
        ['son', 'er', 'ez', 'll', 'sen', 'zz'],
      ).map(([state, lastname]) => ({
        api: `${COLLECTION}?search=${key('/process_state/state', '=', state)}&search=${key('application.user.lastname', '=~', lastname)}&sort=application.created_dt!desc`,
        ...limitRequest('/w2', { state, lastname }),
      })),
    },
    {
      part: 'w3',
      title: 'word of the title and date',
      requests: product(['engineer', 'manager', 'nurse', 'analyst', 'support', 'sales', 'legal'], dates).map(
        ([title, since]) => ({
          api: `${COLLECTION}?search=${key('application.vacancy.title', '=~', title)}&search=${key('application.created_dt', '>=', since)}`,
          ...limitRequest('/w3', { title, since }),
        }),
      ),
    },
    {
      part: 'w5',
      title: 'free text over users',
      requests: FILTERS.map((text) => ({
        api: `/api/v1/users?filter=${encodeURIComponent(text)}`,
        ...limitRequest('/w5', { text }),
      })),
    },
  ];
}

/** Texts of three to eight letters, from frequent names to texts without a match. */
const FILTERS = 'son ann müller garcia schmi kov fletcher anders yos zzyzx chatterj ñez olga brown ström nguyen'.split(
  ' ',
);

/** Builds w4: pages around `deepPage`, each by the `next` link of the page before. @returns {Workload} */
export function deepWorkload(pages, deepPage) {
  const start = deepPage - DEEP_PAGES / 2;
  const requests = pages
    .filter(({ number }) => number > start && number <= start + DEEP_PAGES)
    .map(({ path, after }) => ({ api: path, limit: `/w4?after=${after}` }));
  return { part: 'w4', title: `page ${deepPage} by links`, requests };
}

/**
 * Follows `next` from the first page.
 * @param {import('./client.mjs').Client} client
 * @returns {Promise<{ number: number, path: string, after: number }[]>} pages from the second on; `after` is the last
 *   id before the page
 */
export async function walkPages(client, lastPage) {
  const pages = [];
  let answer = await client.get(COLLECTION);
  for (let number = 2; number <= lastPage; number++) {
    const path = linkTo('next', answer.headers);
    if (path === undefined) break;
    pages.push({ number, path, after: JSON.parse(answer.text).at(-1).id });
    answer = await client.get(path);
  }
  return pages;
}

/** Returns three dates. 1, 3 and 10 percent of the applications were created on these dates or later. */
async function recentDates(database) {
  const [{ dates }] = await database.query(
    `SELECT percentile_disc(ARRAY[0.99, 0.97, 0.9]) WITHIN GROUP (ORDER BY created_dt)::date[]::text[] AS dates FROM applications WHERE app_type = 'vacancy_application'`,
  );
  return dates;
}

const key = (name, operator, value) => encodeURIComponent(`${name}${operator}${value}`);
const product = (left, right) => left.flatMap((one) => right.map((other) => [one, other]));

function limitRequest(path, values) {
  const query = new URLSearchParams(values);
  return { limit: `${path}?${query}`, query };
}
