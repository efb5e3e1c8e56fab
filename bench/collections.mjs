import { join } from 'node:path';
import { contest } from './collections/contest.mjs';
import { compareCounting } from './collections/counting.mjs';
import { postgresMeter } from './cpu.mjs';
import { withDatabase } from './collections/database.mjs';
import { countGroups, FORMATS, measureExport } from './collections/export.mjs';
import { watchMemory } from './collections/memory.mjs';
import { measurePages } from './collections/pages.mjs';
import { comparePeer, installPeers, PEERS } from './collections/peers.mjs';
import { startApi, startLimit } from './collections/servers.mjs';
import { DEEP_PAGES, deepWorkload, findWorkloads, walkPages } from './collections/workloads.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

const PER_PAGE = 100;
const DEEP_PAGE = 5000;

const PARTS = ['w1', 'w2', 'w3', 'w4', 'w5', 'counting', 'pages', 'memory', ...FORMATS, 'groups', 'peers'];
const usage = `${DATABASE_USAGE}, default 1000000
  --only          runs only some parts, of ${PARTS.join(', ')}; the part "counting" adds events to the outbox,
                  and the part "peers" installs packages in a temporary folder
  --seconds       seconds for each side of a comparison, default 10`;

/**
 * Measures reading of collections: the API against a minimal server with the same answers, the cost of counts and of
 * deep pages, memory while all items are read, exports, counts by group, and two peers. Exits with 1 when a target is
 * missed.
 * @param {string[]} args
 */
export function run(args) {
  const options = readOptions(
    'collections',
    usage,
    { database: undefined, applications: 1_000_000, only: PARTS, seconds: 10 },
    args,
  );
  return withDatabase(options, (database, started) => measure({ options, database, started }));
}

async function measure({ options: { only, seconds }, database, started }) {
  const has = (part) => only.includes(part);
  const [{ total }] = await database.query(
    `SELECT count(*)::integer AS total FROM applications WHERE app_type = 'vacancy_application'`,
  );
  const deepPage = Math.min(DEEP_PAGE, Math.floor((total / PER_PAGE) * 0.8));
  const api = await started(startApi(database));
  const workloads = await findWorkloads(database);
  const pages = has('w4') || has('pages') ? await walkPages(api.client, deepPage + DEEP_PAGES / 2) : [];
  const shared = { seconds, postgresMeter: postgresMeter(database.backendPid) };

  const wanted = [...workloads, deepWorkload(pages, deepPage)]
    .filter(({ part }) => has(part))
    .sort((left, right) => left.part.localeCompare(right.part));
  if (wanted.length > 0) {
    const limit = await started(startLimit(database));
    await contest({ api, limit, workloads: wanted, ...shared });
  }
  if (has('counting')) {
    const script = join(import.meta.dirname, 'collections/uncounted-api.mjs');
    const uncounted = await started(startApi(database, { name: 'api without counts', script }));
    await compareCounting({ database, api, uncounted, workloads, ...shared });
  }
  if (has('pages')) await measurePages({ api, pages, deepPage });
  if (has('memory')) await watchMemory({ api, total });
  const formats = FORMATS.filter(has);
  if (formats.length > 0) await measureExport({ api, formats, token: database.tokens.reader, total, ...shared });
  if (has('groups')) await countGroups({ api, total });
  if (has('peers')) {
    const { folder } = await started(installPeers());
    for (const peer of PEERS) {
      const server = await started(peer.start(database, folder));
      await comparePeer({ api, peer, server, deepPage, ...shared });
    }
  }
}
