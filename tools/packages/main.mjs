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
import { checkMistakes } from './mistakes.mjs';
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
 * each library installs the first release of it alone, uses it in every supported way, and updates to the second release.
 * At the end, releases with deliberate mistakes must fail the same checks. `--mistakes` checks only those.
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
  /** @type {Map<string, string[]>} */
  const faults = new Map();
  const note = (/** @type {Consumer} */ { name }, /** @type {string[]} */ found) => {
    faults.set(name, [...(faults.get(name) ?? []), ...found]);
  };

  if (!args.includes('--mistakes')) {
    const interfaces = attempt('interface', () => execute(process.execPath, [join(root, 'tools/api.mjs'), '--check']));
    const consumers = published
      .filter(({ folder }) => chosen.length === 0 || chosen.some((name) => folder === `libs/${name}`))
      .map(({ manifest: { name } }) => consumerOf(name, 'consumers'));
    planMinorReleases(workspace);
    const again = release(workspace, { registry: registry.url, env }).then(() =>
      say('released the libraries a second time'),
    );
    await inParallel(consumers, async (consumer) =>
      note(consumer, await checkUse(consumer, first.get(consumer.name) ?? '', place)),
    );
    say('each library was installed alone, and its README was checked; errors are listed below');
    await again;
    faults.set('API reports', await interfaces);
    await checkTypes(consumers, place, note);
    say('the types are checked with TypeScript 5.9, 6 and 7');
    const second = versionsIn(workspace);
    await inParallel(consumers, async (consumer) =>
      note(consumer, await checkUpdate(consumer, second.get(consumer.name) ?? '')),
    );
    say('the second release is installed over the first');
    faults.set('examples/shop', await attempt('output', () => checkShop(join(home, 'shop'), env)));
    say('the example shop has run');
  }
  if (chosen.length === 0) {
    const mistaken = (/** @type {string} */ name) => consumerOf(name, 'mistakes');
    faults.set('deliberate mistakes', await checkMistakes(workspace, mistaken, place, say));
    say('releases with deliberate mistakes are checked');
  }
  registry.stop();
  report(faults);
}

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
