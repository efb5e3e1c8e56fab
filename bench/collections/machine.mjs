import { cpus, loadavg, totalmem } from 'node:os';

const SETTINGS = [
  'shared_buffers',
  'work_mem',
  'effective_cache_size',
  'random_page_cost',
  'jit',
  'plan_cache_mode',
  'max_parallel_workers_per_gather',
  'fsync',
  'synchronous_commit',
];
const numbers = new Intl.NumberFormat('en');

/** Prints the machine and the amount of data. */
export async function printMachine({ query }) {
  const [{ server_version: version }] = await query('SHOW server_version');
  const settings = await query(`SELECT name || '=' || current_setting(name) AS text FROM unnest($1::text[]) AS name`, [
    SETTINGS,
  ]);
  const sizes = await query(
    `SELECT (SELECT count(*) FROM applications)::integer AS applications, (SELECT count(*) FROM users WHERE type = 'candidate')::integer AS candidates,
       (SELECT count(*) FROM opportunities WHERE kind = 'vacancy')::integer AS vacancies, pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  const [{ applications, candidates, vacancies, size }] = sizes;
  console.log(
    [
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0].model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
      `PostgreSQL ${version}: ${settings.map(({ text }) => text).join(' ')}`,
      `${numbers.format(applications)} applications, ${numbers.format(candidates)} candidates, ${numbers.format(vacancies)} vacancies, ${size}`,
    ].join('\n'),
  );
}
