const COLLECTION = '/api/v1/applications?per_page=1000';
const COLUMNS = 100;
const CONDITIONS = 20;
const VALUES = 1_000;
/** Number of vacancies with descriptions of the greatest length. */
const DESCRIBED = 3;
const DESCRIPTION_LENGTH = 100_000;

/**
 * A datapath to a computed value. The attack requests it in many columns, to see whether the service computes it once
 * for a row or once for each column.
 */
const COUNT = 'application.opportunity.application_count';
const OTHER_COUNTS = [COUNT, 'application.user.application_count', 'application.vacancy.application_count'];

/**
 * Creates the layouts and searches of the most expensive legal requests, and returns the paths of the requests. Where
 * the service refuses a layout or search as too large, the largest legal one is used.
 * @param {import('../collections/client.mjs').Client} client a client without rate limits
 * @returns {Promise<{ title: string, path: string }[]>}
 */
export async function createAttack(client) {
  await describeVacancies(client);
  const several = await layoutOf(client, 'counts of several objects', { datapaths: OTHER_COUNTS });
  const one = await layoutOf(client, 'one count', { datapaths: [COUNT] });
  const texts = await layoutOf(client, 'descriptions', { resource: 'vacancies', datapaths: ['vacancy.description'] });
  const search = await searchOf(client);
  return [
    { title: 'per_page=1000', path: COLLECTION },
    ...[several, one].map(({ title, id }) => ({ title, path: `${COLLECTION}&layout=${id}` })),
    { title: texts.title, path: `/api/v1/vacancies?per_page=${DESCRIBED}&layout=${texts.id}` },
    { title: search.title, path: `${COLLECTION}&saved_search=${search.id}` },
  ];
}

/** Gives the first vacancies descriptions of the greatest length. */
async function describeVacancies(client) {
  const { text } = await client.get(`/api/v1/vacancies?per_page=${DESCRIBED}`);
  for (const { id } of JSON.parse(text)) {
    await client.send('PATCH', `/api/v1/vacancies/${id}`, { description: 'd'.repeat(DESCRIPTION_LENGTH) });
  }
}

async function layoutOf(client, name, { resource = 'applications', datapaths }) {
  const known = await readable(client, { resource, datapaths });
  return largest(client, name, COLUMNS, (count) => [
    '/api/v1/layouts',
    {
      name,
      resource,
      columns: Array.from({ length: count }, (_, index) => ({
        title: `${index}`,
        datapath: known[index % known.length],
      })),
    },
  ]);
}

/** Returns the datapaths that exist in this release. */
async function readable(client, { resource, datapaths }) {
  const found = await Promise.all(
    datapaths.map((datapath) =>
      client
        .send('POST', '/api/v1/layouts', {
          name: 'probe',
          resource,
          columns: [{ title: 'probe', datapath }],
        })
        .then(() => [datapath])
        .catch(() => []),
    ),
  );
  return found.flat();
}

/** Creates the search `user.lastname!={…}` with as many values as allowed, in as many conditions as allowed. */
function searchOf(client) {
  const condition = (index) =>
    `application.user.lastname!={${Array.from({ length: VALUES }, (_, value) => `n${index}x${value}`).join()}}`;
  return largest(client, 'conditions', CONDITIONS, (count) => [
    '/api/v1/saved_searches',
    {
      name: 'conditions',
      resource: 'applications',
      search: Array.from({ length: count }, (_, index) => condition(index)),
    },
  ]);
}

/** Creates the largest object that the service allows. */
async function largest(client, title, most, requestOf) {
  let refusal;
  for (let count = most; count >= 1; count = Math.floor(count / 2)) {
    try {
      const { text } = await client.send('POST', ...requestOf(count));
      return { title: `${title}, ${count}`, id: JSON.parse(text).id };
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}
