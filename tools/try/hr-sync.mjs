/**
 * Mirrors candidates, applications and the history of applications into a local file, and keeps the mirror up to date.
 * It can be killed at any moment and continues where it was.
 *
 *   node tools/try/hr-sync.mjs [--once] [FILE]    FILE defaults to mirror.jsonl. --once ends when it has everything
 *
 * ATS is the address of the API. TOKEN needs `candidates:read`, `applications:read` and `history:read`.
 *
 * The file has one line for each page that was read: `{ "kind": "candidates", "items": [...] }`. The newest line wins
 * for each id. A line is complete or it is not there, because an incomplete last line is cut off at the start.
 *
 * Limits of this program:
 * - It does not see deletions. `GET /changes` reports deletions, as `examples/copy` shows.
 * - The name of a candidate inside an application does not change `updated_dt` of the application. So read names from
 *   the mirrored candidates.
 */
import { applicationsFollowHistory, applicationsList, candidatesList, createClient, pages } from '@ats/client';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A transaction sets `updated_dt` before it commits, so an item can appear behind newer ones. Each pass therefore
 * begins this long before the newest item, which is far longer than a write of the service takes.
 */
const OVERLAP_MS = 120_000;
const PAUSE_MS = 1_000;
/** Maps a collection to the call that reads it. */
const LISTS = { candidates: candidatesList, applications: applicationsList };

/**
 * Reads a mirror, and cuts off an incomplete last line.
 * @param {string} file
 * @returns {Record<'candidates' | 'applications' | 'history', Map<number, any>>} the newest items by id
 */
function readMirror(file) {
  const mirror = { candidates: new Map(), applications: new Map(), history: new Map() };
  if (!existsSync(file)) return mirror;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(file, end);
  for (const line of bytes.subarray(0, end).toString().split('\n').filter(Boolean)) keep(mirror, JSON.parse(line));
  return mirror;
}

function keep(mirror, { kind, items }) {
  for (const item of items) mirror[kind].set(item.id, item);
}

async function main() {
  const { ATS = 'http://localhost:3000/api/v1', TOKEN } = process.env;
  if (!TOKEN) throw new Error('set TOKEN to a token of the API');
  const isOnce = process.argv.includes('--once');
  const file = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'mirror.jsonl';
  const mirror = readMirror(file);
  // The client waits and tries again when the service asks to wait, or cannot be reached.
  const client = createClient({ baseUrl: ATS, token: TOKEN, retries: Infinity });
  const output = openSync(file, 'a');

  do {
    await readChanged('candidates');
    await readChanged('applications');
    await readHistory();
    const sizes = Object.entries(mirror).map(([kind, items]) => `${items.size} ${kind}`);
    console.log(`mirrored ${sizes.join(', ')}`);
    if (!isOnce) await sleep(PAUSE_MS);
  } while (!isOnce);
  closeSync(output);

  /**
   * Reads the items that changed, the oldest change first. A pass that ends early therefore misses no earlier change.
   */
  async function readChanged(kind) {
    const root = kind.slice(0, -1);
    const newest = [...mirror[kind].values()].reduce(
      (max, { updated_dt }) => (updated_dt > max ? updated_dt : max),
      '',
    );
    const since = new Date(newest ? Date.parse(newest) - OVERLAP_MS : 0).toISOString();
    const query = { search: [`/updated_dt>=${since}`], sort: [`${root}.updated_dt!asc`], per_page: 200 };
    for await (const page of pages(LISTS[kind], { client, query })) {
      // Items inside the overlap are read again. Only new and changed items are written.
      save(
        kind,
        page.filter((item) => JSON.stringify(mirror[kind].get(item.id)) !== JSON.stringify(item)),
      );
    }
  }

  /** The parameter `since_id` lists each entry once and in order, and never skips an entry that commits late. */
  async function readHistory() {
    let isMore = true;
    while (isMore) {
      const since_id = [...mirror.history.keys()].at(-1) ?? 0;
      const { data } = await applicationsFollowHistory({ client, query: { since_id, per_page: 500 } });
      save('history', data.items);
      isMore = data.has_more;
    }
  }

  /** Appends one line and waits until it is on the disk. */
  function save(kind, items) {
    if (items.length === 0) return;
    writeSync(output, `${JSON.stringify({ kind, items })}\n`);
    fsyncSync(output);
    keep(mirror, { kind, items });
  }
}

await main();
