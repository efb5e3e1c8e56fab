import { readFileSync } from 'node:fs';
import { linkTo } from './client.mjs';
import { judge, mean } from '../measure.mjs';

const PER_PAGE = 1000;
const PATH = `/api/v1/applications?per_page=${PER_PAGE}`;
/** Greatest number of pages between two measurements. A small collection is measured more often. */
const EVERY = 50;
const LEAST_LOOKS = 12;
const MOST_GROWTH = 1.1;
/**
 * Number of first pages that are not measured. Meanwhile a new process grows until its garbage collector has adapted,
 * which does not indicate a leak.
 */
const WARM_UP_PAGES = 500;

/**
 * Reads every application through pages of 1000 and watches the memory of the API's process.
 * @param {{ api: import('./servers.mjs').Server, total: number }} parts
 */
export async function watchMemory({ api, total }) {
  await warmUp(api.client);
  const seen = new Set();
  const rss = [residentMiB(api.pid)];
  const every = Math.min(EVERY, Math.ceil(total / PER_PAGE / LEAST_LOOKS));
  let pages = 0;
  for (let path = PATH; path !== undefined; ) {
    const { headers, text } = await api.client.get(path);
    for (const { id } of JSON.parse(text)) {
      if (seen.has(id)) throw new Error(`the application ${id} is on two pages`);
      seen.add(id);
    }
    pages++;
    if (pages % every === 0) rss.push(residentMiB(api.pid));
    path = linkTo('next', headers);
  }
  if (seen.size !== total) throw new Error(`the pages have ${seen.size} applications, the database has ${total}`);
  const quarter = (number) =>
    mean(rss.slice(Math.floor(((number - 1) * rss.length) / 4), Math.max(1, Math.floor((number * rss.length) / 4))));
  const growth = quarter(4) / quarter(2);
  const [first, last] = [rss[0], rss.at(-1)];
  const figures =
    `first ${first.toFixed(0)}, greatest ${Math.max(...rss).toFixed(0)}, last ${last.toFixed(0)} MiB, ` +
    `${(slope(rss) * (100 / every)).toFixed(2)} MiB per 100 pages, fourth quarter / second ${growth.toFixed(2)}`;
  judge(
    `memory: flat while ${seen.size} applications are read in ${pages} pages, each of them once`,
    growth <= MOST_GROWTH,
    figures,
  );
}

async function warmUp(client) {
  let path = PATH;
  for (let page = 0; page < WARM_UP_PAGES && path !== undefined; page++) path = linkTo('next', await client.read(path));
}

/** Returns the resident memory of a process in MiB. */
export function residentMiB(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kib) / 1024;
}

/** Returns the slope of the least-squares line through equally spaced values, for each step. */
function slope(values) {
  const [middle, level] = [(values.length - 1) / 2, mean(values)];
  const deviations = values.map((value, index) => (index - middle) * (value - level));
  return mean(deviations) / mean(values.map((_, index) => (index - middle) ** 2));
}
