import pg from 'pg';
import { startTestServices } from '../tools/services/test-services.mjs';
import { median, printTable } from './measure.mjs';
import { createApplication, createClient, createEnvironment, migrate, startApp } from './service.mjs';

export const projects = ['@ats/api'];

const APPLICATIONS = 10_000;
const ROUNDS = 30;
/** Number of form items. Each application has a value for each item. */
const ITEMS = 100;

/** The rules of each kind. */
const KINDS = {
  '20 rules: 8 form items, columns, people, the vacancy': (items) => [
    ...items.slice(0, 8).map((id) => `application.formdata.${id} >= 5`),
    'application.source == "fair"',
    'application.tags IN {"a", "b"}',
    'application.rating >= 4',
    'application.days_in_state > 30',
    'application.submitted_dt >= DATE("today") - DTDURATION(7,0,0,0)',
    'application.main_process_state.state.state != "rejected"',
    'application.user.language == "de"',
    'application.candidate.current_title =~ "engineer"',
    'application.candidate.Address.CountryCode == "GB"',
    'application.opportunity.closing_date <= DATE("today")',
    'application.posting.job_board.code == "intern" OR application.source == "web"',
    'application.user.email =~ "example.com"',
  ],
  '100 rules on 100 form items': (items) => items.map((id) => `application.formdata.${id} >= 5`),
};

/**
 * Measures scoring of one application, and of all applications to one vacancy in parts, when all scores change and when
 * none does. PostgreSQL commits to disk, the API is a process, one request runs at a time.
 */
export async function run() {
  const services = await startTestServices({ say: console.error, isDurable: true });
  const environment = await createEnvironment(services.env);
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  let api;
  try {
    await migrate(environment);
    api = await startApp('api', environment);
    await database.connect();
    await measureAll(createClient(environment), database);
  } finally {
    await database.end();
    await api?.stop();
    await services.stop();
  }
}

async function measureAll(client, database) {
  const { id, opportunity_id: vacancyId } = await createApplication(client);
  const items = await makeForm(client);
  await makeApplications(database, { vacancyId, items });
  const rows = [
    ['rules', 'one, ms', 'most', `${APPLICATIONS} that change, s`, 'a part, ms', 'that stay, s', 'a part, ms'],
  ];
  for (const [name, rulesOf] of Object.entries(KINDS)) {
    // The first rule always holds, so that higher points change every score.
    const setPoints = (points) =>
      client('PUT', `/vacancies/${vacancyId}`, {
        title: 'Bench',
        scoring_rules: ['application.id > 0', ...rulesOf(items).slice(1)].map((expression) => ({ expression, points })),
      });
    await setPoints(1);
    const one = [];
    for (let round = 0; round < ROUNDS + 5; round++)
      one.push(await timed(() => client('POST', `/vacancy_applications/${id}/score`)));
    await scoreAll(client, vacancyId);
    await setPoints(2.5);
    const changing = await scoreAll(client, vacancyId);
    const staying = await scoreAll(client, vacancyId);
    if (changing.changed !== APPLICATIONS || staying.changed !== 0)
      throw new Error('scores did not change or stay as expected');
    const settled = one.slice(5);
    const figures = [
      median(settled),
      Math.max(...settled),
      changing.seconds,
      median(changing.parts),
      staying.seconds,
      median(staying.parts),
    ];
    rows.push([name, ...figures.map((figure, index) => figure.toFixed(index === 2 || index === 4 ? 1 : 0))]);
  }
  printTable(rows);
}

/** Scores all applications in parts, as a client does. */
async function scoreAll(client, vacancyId) {
  const parts = [];
  let [changed, afterId] = [0, null];
  do {
    const start = performance.now();
    const answer = await client('POST', `/vacancies/${vacancyId}/score`, { after_id: afterId });
    parts.push(performance.now() - start);
    changed += answer.changed;
    afterId = answer.next_after_id;
  } while (afterId !== null);
  return { changed, parts, seconds: parts.reduce((sum, ms) => sum + ms, 0) / 1000 };
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function makeForm(client) {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    key: `item_${index}`,
    label: `Item ${index}`,
    type: 'integer',
  }));
  const { sections } = await client('POST', '/forms', {
    name: 'Bench',
    resource: 'applications',
    sections: [{ name: 'Bench', items }],
  });
  return sections[0].items.map(({ id }) => id);
}

/** Creates applications up to the measured number. */
async function makeApplications(database, { vacancyId, items }) {
  await database.query(
    `WITH people AS (
       INSERT INTO users (type, firstname, lastname, email, current_title)
       SELECT 'candidate', 'Ann', 'Lee ' || n, 'ann.' || n || '@example.com', CASE WHEN n % 3 = 0 THEN 'Engineer' END FROM generate_series(1, $2 - 1) n RETURNING id)
     INSERT INTO applications (app_type, opportunity_id, user_id, state_id, source, tags, rating)
     SELECT 'vacancy_application', $1, id, 101, CASE WHEN id % 2 = 0 THEN 'fair' END, CASE WHEN id % 5 = 0 THEN '{a}'::text[] ELSE '{}' END, 1 + id % 5 FROM people`,
    [vacancyId, APPLICATIONS],
  );
  await database.query(
    `INSERT INTO application_form_values (owner_id, item_id, number_value)
     SELECT a.id, i.id, (a.id * 7 + i.id) % 10 FROM applications a, unnest($1::bigint[]) AS i(id)`,
    [items],
  );
  await database.query('VACUUM ANALYZE');
}
