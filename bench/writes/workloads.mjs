const APPLICATIONS = '/api/v1/vacancy_applications';
const BOARDS = '/api/v1/job_boards';
const CANDIDATES = '/api/v1/candidates';
const VACANCIES = '/api/v1/vacancies';
/** Number of applications in one request of the workload `bulk`. */
const BULK = 100;

/**
 * @typedef {object} Workload
 * @property {string} title
 * @property {(client: import('../collections/client.mjs').Client, index: number) => Promise<{ text: string }>} send
 *   writes items of the connection with this index; each call changes a value
 * @property {(client: import('../collections/client.mjs').Client, value: number) => Promise<unknown>} check
 *   writes the item of the first connection, with values that depend on `value` only
 * @property {number} [perRequest]  number of items that a request writes
 */

/**
 * Finds or creates the items that the workloads write: for each connection a job board, a candidate, a vacancy and a
 * set of applications.
 * @param {import('../collections/client.mjs').Client} client
 */
export async function findTargets({ query }, client, connections) {
  const applications = await query(
    `SELECT a.id::integer, a.opportunity_id::integer, a.user_id::integer FROM applications a
     JOIN users u ON u.id = a.user_id WHERE app_type = 'vacancy_application' AND u.status = 'active' ORDER BY a.id LIMIT $1`,
    [connections * BULK],
  );
  const [{ id: opportunityId }] = await query(
    `SELECT o.id::integer FROM opportunities o JOIN states s ON s.id = o.state_id
     WHERE o.kind = 'vacancy' AND s.state = 'open' ORDER BY o.id LIMIT 1`,
  );
  const [boards, people, vacancies] = [[], [], []];
  const create = async (path, body) => JSON.parse((await client.send('POST', path, body)).text);
  for (let index = 0; index < connections; index += 1) {
    boards.push(await create(BOARDS, { name: 'Board', code: `bench_${index}` }));
    const person = { firstname: 'Ann', lastname: 'Lee', email: `ann.lee.${index}@bench.example` };
    people.push(await create(CANDIDATES, person));
    vacancies.push(await create(VACANCIES, { title: 'Bench' }));
  }
  const { text } = await client.send('POST', '/api/v1/forms', {
    name: 'Bench',
    resource: 'applications',
    sections: [{ name: 'Section', items: [{ key: 'bench', label: 'Bench', type: 'text' }] }],
  });
  const itemId = JSON.parse(text).sections[0].items[0].id;
  const sets = Array.from({ length: connections }, (_, index) => applications.slice(index * BULK, (index + 1) * BULK));
  return { boards, people, vacancies, opportunityId, itemId, sets };
}

/** @returns {Workload[]} */
export function workloads({ boards, people, vacancies, opportunityId, itemId, sets }) {
  let number = 0;
  const next = () => (number += 1);
  const board = (method, body) => (client, index, value) => {
    const { id, code } = boards[index];
    return client.send(method, `${BOARDS}/${id}`, body(code, value));
  };
  const application = (method, body) => (client, index, value) => {
    const { id, opportunity_id, user_id } = sets[index][0];
    return client.send(method, `${APPLICATIONS}/${id}`, body({ opportunity_id, user_id }, value));
  };
  const candidate = (client, index, value) => {
    const { id, firstname, email } = people[index];
    return client.send('PUT', `${CANDIDATES}/${id}`, { firstname, lastname: `Lee ${value}`, email });
  };
  const vacancy = (client, index, value) => {
    const { id } = vacancies[index];
    return client.send('PUT', `${VACANCIES}/${id}`, { title: `Bench ${value}` });
  };
  const workload = (title, write, more = {}) => ({
    title,
    send: (client, index) => write(client, index, next()),
    check: (client, value) => write(client, 0, value),
    ...more,
  });
  const source = (value) => `Source ${value}`;
  const apply = (client, _, value) =>
    client.send('POST', '/api/v1/applications', {
      opportunity_id: opportunityId,
      candidate: { firstname: 'Ann', lastname: `Lee ${value}`, email: `ann.${next()}@bench.example` },
    });
  const bulk = (client, index, value) =>
    client.send('POST', `${APPLICATIONS}/bulk_form_values`, {
      items: sets[index].map(({ id }) => ({ id, form_values: [{ item_id: itemId, value: `Answer ${value}` }] })),
    });
  return [
    workload(
      'PUT of a job board',
      board('PUT', (code, value) => ({ name: `Board ${value}`, code })),
    ),
    workload(
      'PATCH of a job board',
      board('PATCH', (_, value) => ({ name: `Board ${value}` })),
    ),
    workload(
      'PUT of an application',
      application('PUT', (keys, value) => ({ ...keys, source: source(value), rating: 3 })),
    ),
    workload(
      'PATCH of an application',
      application('PATCH', (_, value) => ({ source: source(value) })),
    ),
    workload('PUT of a candidate', candidate),
    workload('PUT of a vacancy', vacancy),
    workload('apply', apply),
    workload(`form values of ${BULK} applications`, bulk, { perRequest: 10 }),
  ];
}
