// @ts-check
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastify from 'fastify';
import { canInstallPackages, installPackages } from '../services/debian-package.mjs';
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError, root } from '../workspace.mjs';
import { Browsers } from './browsers.mjs';
import { figuresOf, tableOf } from './figures.mjs';
import { scriptFaults } from './no-scripts.mjs';
import { walkPage } from './page.mjs';
import { searchFaults } from './search.mjs';

const usage = `usage: node tools/site.mjs [options]
Opens the pages of the built documentation site in headless Chromium. Fails when a page has 3,000 DOM nodes or more, an
error in its console, a violation that axe finds, or content that is wider than a phone. It also fails when the search
finds nothing, or when a page cannot be read without scripts. CPU and time are printed only. Pages of resources,
operations, event types and roots are made alike, so one in six of them is opened. \`npm test\` counts the nodes of all
pages.

  --only <text>        only pages whose URL contains the text
  --screenshots <dir>  writes a picture of each page for a desktop, a phone and dark mode
  --all                opens all pages
  --figures            prints the table of docs/benchmarks.md
  --help               print this text`;

const folder = join(root, 'apps/docs/dist/site');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PARALLEL = 2;
/** Matches pages that one template makes in great numbers. Only one in `SHARE` of these pages is opened. */
const MADE_ALIKE = /^\/docs\/(?:api|catalogues\/event-types|catalogues\/datapaths)\/[^/]+\//;
const SHARE = 6;

/**
 * Runs `node tools/site.mjs`.
 * @param {string[]} args
 */
export async function main(args) {
  const options = parseOptions(usage, { only: text, screenshots: text, figures: flag, all: flag }, args);
  if (!options) return;
  if (!existsSync(folder)) throw new PlainError('the documentation site is not built: run npm run build');
  const executablePath = await findChromium();
  if (executablePath === undefined) return console.log('skipped, there is no Chromium on this machine');
  if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
  const urls = pageUrls()
    .filter((url, index) => options.all === true || !MADE_ALIKE.test(url) || index % SHARE === 0)
    .filter((url) => url.includes(options.only ?? ''));
  const server = await serve();
  const browsers = new Browsers(executablePath);
  try {
    const base = `http://127.0.0.1:${server.port}`;
    const queue = [...urls];
    /** @type {import('./figures.mjs').PageResult[]} */
    const results = [];
    const work = async () => {
      for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
        const page = { url, base, screenshots: options.screenshots };
        results.push(await browsers.use((browser) => walkPage(browser, page)));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (options.figures) console.log(tableOf(results));
    console.log(figuresOf(results));
    const faults = [
      ...results.flatMap(({ url, faults: found }) => found.map((fault) => `${url}: ${fault}`)),
      ...(await browsers.use((browser) => searchFaults(browser, base))),
      ...(await browsers.use((browser) => scriptFaults(browser, base))),
    ];
    if (faults.length > 0) throw new PlainError(faults.join('\n'));
  } finally {
    await browsers.close();
    await server.close();
  }
}

/** Returns the sorted URLs of all pages. */
const pageUrls = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('index.html'))
    .map((name) => `/docs/${name.slice(0, -'index.html'.length)}`)
    .sort();

/** Serves the site with the code of the API: its policy, types and compression. */
async function serve() {
  const dist = join(root, 'apps/api/dist');
  const load = (/** @type {string} */ file) => import(pathToFileURL(join(dist, file)).href);
  const [{ serveSite }, { compressAnswers }] = await Promise.all([
    load('docs/site.js'),
    load('request/compression.js'),
  ]);
  const app = fastify();
  compressAnswers(app);
  serveSite(app, { folder, basePath: '' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return { port: typeof address === 'object' ? address?.port : 0, close: () => app.close() };
}

/**
 * Finds Chromium.
 * @returns {Promise<string | undefined>} the path of the browser, installed from Debian's packages if possible
 */
async function findChromium() {
  const find = () => CHROMIUM.find((path) => existsSync(path));
  if (!find() && canInstallPackages())
    await installPackages({
      names: ['chromium'],
      logFile: join(root, '.data/chromium.log'),
      say: console.log,
      isThere: () => find() !== undefined,
      otherwise: 'The walk through the documentation site needs Chromium.',
    });
  return find();
}
