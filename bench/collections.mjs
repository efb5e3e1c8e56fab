import { join } from 'node:path';
import { contest } from './collections/contest.mjs';
import { compareCounting } from './collections/counting.mjs';
import { postgresMeter } from './collections/cpu.mjs';
import { openDatabase } from './collections/database.mjs';
import { printMachine } from './collections/machine.mjs';
import { watchMemory } from './collections/memory.mjs';
import { readOptions } from './collections/options.mjs';
import { measurePages } from './collections/pages.mjs';
import { Report } from './collections/report.mjs';
import { startApi, startLimit } from './collections/servers.mjs';
import { DEEP_PAGES, deepWorkload, findWorkloads, walkPages } from './collections/workloads.mjs';

export const projects = ['@ats/api'];

/** The start of the links in both servers' answers. No request is sent to it. */
const publicUrl = 'https://ats.example';
const PER_PAGE = 100;
const DEEP_PAGE = 5000;

/**
 * Measures reading of collections: the API against a minimal server with the same answers, the cost of counts and of
 * deep pages, and memory while all items are read. Exits with 1 when a target is missed.
 * @param {string[]} args
 */
export async function run(args) {
  const options = readOptions(args);
  const database = await openDatabase(options);
  const servers = [];
  const started = async (server) => {
    servers.push(await server);
    return servers.at(-1);
  };
  try {
    await measure({ options, database, started, report: new Report() });
  } finally {
    for (const server of servers) await server.stop();
    await database.close();
  }
}

async function measure({ options: { has, seconds }, database, started, report }) {
  await printMachine(database);
  const [{ total }] = await database.query(
    `SELECT count(*)::integer AS total FROM applications WHERE app_type = 'vacancy_application'`,
  );
  const deepPage = Math.min(DEEP_PAGE, Math.floor((total / PER_PAGE) * 0.8));
  const api = await started(startApi(database, { publicUrl }));
  const workloads = await findWorkloads(database);
  const pages = has('w4') || has('pages') ? await walkPages(api.client, deepPage + DEEP_PAGES / 2) : [];
  const shared = { report, seconds, postgresMeter: postgresMeter(database.backendPid) };

  const wanted = [...workloads, deepWorkload(pages, deepPage)]
    .filter(({ part }) => has(part))
    .sort((left, right) => left.part.localeCompare(right.part));
  if (wanted.length > 0) {
    const limit = await started(startLimit(database, { publicUrl }));
    await contest({ api, limit, workloads: wanted, ...shared });
  }
  if (has('counting')) {
    const script = join(import.meta.dirname, 'collections/uncounted-api.mjs');
    const uncounted = await started(startApi(database, { name: 'api without counts', script, publicUrl }));
    await compareCounting({ database, api, uncounted, workloads, ...shared });
  }
  if (has('pages')) await measurePages({ api, pages, deepPage });
  if (has('memory')) await watchMemory({ api, total, report });
}
