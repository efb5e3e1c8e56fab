// @ts-check
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.mjs';
import { checkTypes, checkUpdate, checkUse } from './checks.mjs';
import { attempt, inParallel, makeTypeRoot, nodesOf, npmEnvironment, processorTime, report } from './environment.mjs';
import { isForBrowsers } from './install-section.mjs';
import { mistakenLibraries, mistakenVersion, releaseMistakes, unfoundMistakes } from './mistakes.mjs';
import { startRegistry } from './registry.mjs';
import { release } from './release.mjs';
import { checkShop } from './shop.mjs';
import { isPublished, readProjects } from './template.mjs';
import { installTools } from './tools.mjs';
import { copyWorkspace, planMinorReleases } from './workspace-copy.mjs';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */

const execute = promisify(execFile);

/**
 * Checks that other teams can install our libraries: `node tools/check-packages.mjs [--built] [--mistakes] [library…]`.
 *
 * Rehearses two releases of a copy of the workspace into a private registry on this machine. Then an empty project for
 * each library installs the first release of this library alone, uses it in every supported way, and updates to the
 * second release. Releases with deliberate mistakes must fail the same checks. With `--mistakes`, only these releases
 * are checked.
 * @param {string[]} args
 */
export async function main(args) {
  const started = Date.now();
  const say = (/** @type {string} */ line) =>
    console.log(`${String(Math.round((Date.now() - started) / 1_000)).padStart(4)} s${processorTime()}  ${line}`);
  const home = mkdtempSync(join(tmpdir(), 'packages-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]))
    process.on(signal, () => process.exit(code));

  const chosen = args.filter((arg) => !arg.startsWith('--'));
  const all = readProjects();
  const published = all.filter(isPublished);
  if (!args.includes('--built')) await build();
  const tools = installTools();
  const nodes = nodesOf(tools);
  say(`the tools are installed; Node ${[...nodes.keys()].join(' and ')}`);
  const registry = await startRegistry(tools, join(home, 'registry'));
  const env = npmEnvironment(home, registry.npmrc);
  const workspace = join(home, 'workspace');
  copyWorkspace(workspace, env);
  await release(workspace, { registry: registry.url, env });
  const first = versionsIn(workspace);
  say(`released ${first.size} libraries`);

  /**
   * Returns the project of a library in a folder of this rehearsal.
   * @param {string} name @param {string} folder @returns {Consumer}
   */
  const consumerOf = (name, folder) => ({
    ...{ name, env, nodes, dir: join(home, folder, name) },
    isForBrowsers: published.some((project) => project.manifest.name === name && isForBrowsers(project, all)),
  });
  const place = { tools, registry: registry.url, typeRoot: makeTypeRoot(home) };
  const options = { registry: registry.url, env };
  const withOthers = !args.includes('--mistakes');
  const chosenOnes = published.filter(
    ({ folder }) => withOthers && (chosen.length === 0 || chosen.some((name) => folder === `libs/${name}`)),
  );
  const consumers = chosenOnes.map(({ manifest: { name } }) => consumerOf(name, 'consumers'));
  const mistaken = chosen.length === 0 ? mistakenLibraries.map((name) => consumerOf(name, 'mistakes')) : [];
  const interfaces = withOthers ? compareInterfaces() : [];
  planMinorReleases(workspace);
  // Makes the second release while the first one is installed, and then the release with deliberate mistakes. The
  // mistakes come last, because they stay in the copy of the workspace.
  const later = release(workspace, options).then(async () => {
    const second = versionsIn(workspace);
    if (mistaken.length > 0) await releaseMistakes(workspace, options);
    say('released the libraries a second time');
    return second;
  });

  /** @type {Map<Consumer, string[]>} */
  const found = new Map([...consumers, ...mistaken].map((consumer) => [consumer, []]));
  const note = (/** @type {Consumer} */ consumer, /** @type {string[]} */ faults) => {
    found.get(consumer)?.push(...faults);
  };
  await inParallel(consumers, async (consumer) =>
    note(consumer, await checkUse(consumer, first.get(consumer.name) ?? '', place)),
  );
  say('each library was installed alone, and its README was checked; errors are listed below');
  const second = await later;
  await inParallel(mistaken, async (consumer) => note(consumer, await checkUse(consumer, mistakenVersion, place)));
  await checkTypes([...found.keys()], place, note);
  say('the types are checked with TypeScript 5.9, 6 and 7');
  await inParallel(consumers, async (consumer) =>
    note(consumer, await checkUpdate(consumer, second.get(consumer.name) ?? '')),
  );
  say('the second release is installed over the first');

  const faultsOf = (/** @type {Consumer[]} */ some) =>
    new Map(some.map((consumer) => [consumer.name, found.get(consumer) ?? []]));
  const faults = faultsOf(consumers);
  if (withOthers) {
    faults.set('API reports', await interfaces);
    faults.set('examples/shop', await attempt('output', () => checkShop(join(home, 'shop'), env)));
    say('the example shop has run');
  }
  if (mistaken.length > 0) faults.set('deliberate mistakes', unfoundMistakes(faultsOf(mistaken), say));
  registry.stop();
  report(faults);
}

/** Compares the API reports in git with the code. @returns {Promise<string[]>} faults */
const compareInterfaces = () =>
  attempt('interface', () => execute(process.execPath, [join(root, 'tools/api.mjs'), '--check']));

async function build() {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  await execute(process.execPath, [nx, 'run-many', '-t', 'build', '-p', 'tag:type:pure'], { cwd: root });
}

/**
 * Reads the versions of all published libraries.
 * @param {string} workspace @returns {Map<string, string>} the version of each library
 */
const versionsIn = (workspace) =>
  new Map(
    readProjects(workspace)
      .filter(isPublished)
      .map(({ manifest: { name, version } }) => [name, version]),
  );
