// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.mjs';
import * as checks from './consumer.mjs';
import { isForBrowsers } from './install-section.mjs';
import { checkShop } from './shop.mjs';
import { sizeLimits } from './size-limits.mjs';
import { startRegistry } from './registry.mjs';
import { release } from './release.mjs';
import { isPublished, readProjects } from './template.mjs';
import { installTools } from './tools.mjs';
import { copyWorkspace, planMinorReleases } from './workspace-copy.mjs';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */

const execute = promisify(execFile);

/**
 * Checks that other teams can install our libraries: `node tools/check-packages.mjs [--built] [library…]`.
 *
 * Rehearses two releases of a copy of the workspace into a private registry on this machine. Then an empty project for
 * each library installs the first release of it alone, uses it in every supported way, and updates to the second release.
 * @param {string[]} args
 */
export async function main(args) {
  const started = Date.now();
  const say = (/** @type {string} */ line) =>
    console.log(`${String(Math.round((Date.now() - started) / 1_000)).padStart(4)} s  ${line}`);
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
  say('the tools are installed');
  const interfaces = attempt('interface', () => execute(process.execPath, [join(root, 'tools/api.mjs'), '--check']));
  const registry = await startRegistry(tools, join(home, 'registry'));
  const env = environment(home, registry.npmrc);
  const workspace = join(home, 'workspace');
  copyWorkspace(workspace, env);
  await release(workspace, { registry: registry.url, env });
  const first = versionsIn(workspace);
  say(`released ${first.size} libraries`);
  planMinorReleases(workspace);
  await release(workspace, { registry: registry.url, env });
  const second = versionsIn(workspace);
  say('released them once more');

  const consumers = published
    .filter(({ folder }) => chosen.length === 0 || chosen.some((name) => folder === `libs/${name}`))
    .map(({ manifest: { name } }) => ({ name, dir: join(home, 'consumers', name), env }));
  /** @type {Map<string, 'browser' | 'node'>} */
  const platforms = new Map(
    published.map((project) => [project.manifest.name, isForBrowsers(project, all) ? 'browser' : 'node']),
  );
  /** @type {Map<string, string[]>} */
  const faults = new Map(consumers.map(({ name }) => [name, []]));
  const note = (/** @type {Consumer} */ { name }, /** @type {string[]} */ found) => {
    faults.get(name)?.push(...found);
  };

  await inParallel(consumers, async (consumer) => {
    const version = first.get(consumer.name) ?? '';
    note(consumer, [
      ...(await attempt('install', () => {
        checks.createConsumer(consumer);
        return checks.install(consumer, version);
      })),
      ...(await attempt('import and require', () => checks.checkNames(consumer))),
      ...(await attempt('README', () => checks.checkExamples(consumer))),
      ...(await attempt('typed use', () => checks.writeTypedUse(consumer))),
      ...(await attempt('size', () => checkSize(consumer, tools, platforms.get(consumer.name) ?? 'node'))),
      ...(await attempt('package', async () => {
        const found = await checks.lintPackage(consumer, tools, await tarballOf(registry.url, consumer.name, version));
        if (found.length > 0) throw new Error(found.join('; '));
      })),
    ]);
  });
  say('each library installs alone, and its README is right, unless an error below says otherwise');
  await Promise.all([
    checkTypes('TypeScript 5.9', join(tools, 'node_modules/typescript-5'), consumers, note),
    checkTypes('TypeScript 6', join(root, 'node_modules/typescript'), consumers, note).then(() =>
      checkTypes7(consumers, note),
    ),
  ]);
  say('the types are checked with TypeScript 5.9, 6 and 7');
  await inParallel(consumers, async (consumer) =>
    note(
      consumer,
      await attempt('update', async () => {
        await checks.install(consumer, second.get(consumer.name) ?? '');
        await checks.checkNames(consumer);
      }),
    ),
  );
  say('the second release is installed over the first');
  faults.set('API reports', await interfaces);
  faults.set('examples/shop', await attempt('output', () => checkShop(join(home, 'shop'), env)));
  say('the example shop has run');
  registry.stop();
  report(faults);
}

/** @param {ReadonlyMap<string, string[]>} faults */
function report(faults) {
  for (const [name, found] of faults) {
    console.log(`${found.length === 0 ? 'ok     ' : 'FAILED '} ${name}`);
    for (const fault of found) console.error(`FAILED  ${name}: ${fault}`);
  }
  const count = [...faults.values()].flat().length;
  console.log(count === 0 ? `Packages: ${faults.size} install and run alone` : `Packages: ${count} errors`);
  process.exitCode = count === 0 ? 0 : 1;
}

async function build() {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  await execute(process.execPath, [nx, 'run-many', '-t', 'build', '-p', 'tag:type:pure'], { cwd: root });
}

/**
 * The environment of npm, nx and git in the rehearsal. Variables that npm sets for scripts would make npm work on this
 * workspace. The settings of the user's npm stay, because they may name another registry for third parties.
 * @param {string} home @param {string} npmrc
 * @returns {NodeJS.ProcessEnv}
 */
function environment(home, npmrc) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm|nx|git)_/i.test(name) || name.toLowerCase() === 'npm_config_registry',
  );
  const users = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc');
  const userconfig = join(home, 'npmrc');
  writeFileSync(userconfig, `${existsSync(users) ? readFileSync(users, 'utf8') : ''}\n${npmrc}`);
  const person = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'Rehearsal'],
      [`GIT_${role}_EMAIL`, 'rehearsal@example.invalid'],
    ]),
  );
  return { ...Object.fromEntries(own), ...person, npm_config_userconfig: userconfig };
}

/** @param {string} workspace @returns {Map<string, string>} the version of each library */
const versionsIn = (workspace) =>
  new Map(
    readProjects(workspace)
      .filter(isPublished)
      .map(({ manifest: { name, version } }) => [name, version]),
  );

/** @param {string} url @param {string} name @param {string} version */
async function tarballOf(url, name, version) {
  const answer = await fetch(`${url}${name}/-/${name.replace('@ats/', '')}-${version}.tgz`);
  if (!answer.ok) throw new Error(`the registry has no package of ${name}@${version}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param {Consumer} consumer @param {string} tools @param {'browser' | 'node'} platform */
async function checkSize(consumer, tools, platform) {
  const size = await checks.bundleSize(consumer, tools, platform);
  const limit = sizeLimits[consumer.name.replace('@ats/', '')];
  if (limit === undefined) throw new Error(`${size.toFixed(1)} KB: size-limits.mjs has no limit`);
  if (size > limit) throw new Error(`${size.toFixed(1)} KB compressed are more than ${limit} KB`);
}

/**
 * @param {string} about @param {string} typescript @param {readonly Consumer[]} consumers
 * @param {(consumer: Consumer, found: string[]) => void} note
 */
async function checkTypes(about, typescript, consumers, note) {
  const script = join(root, 'tools/packages/types.mjs');
  const { stdout } = await execute(process.execPath, [script, typescript, ...consumers.map(({ dir }) => dir)], {
    maxBuffer: 1 << 26,
  });
  /** @type {string[][]} */
  const errors = JSON.parse(stdout);
  for (const [index, consumer] of consumers.entries())
    note(
      consumer,
      (errors[index] ?? []).slice(0, 5).map((error) => `${about}: ${error}`),
    );
}

/** TypeScript 7 has no programming interface. @param {readonly Consumer[]} consumers @param {(consumer: Consumer, found: string[]) => void} note */
async function checkTypes7(consumers, note) {
  const tsc = join(createRequire(import.meta.url).resolve('typescript-7/package.json'), '../bin/tsc');
  for (const consumer of consumers) {
    const run = () => execute(process.execPath, [tsc, '-p', consumer.dir], { maxBuffer: 1 << 26 });
    note(consumer, await attempt('TypeScript 7', run));
  }
}

/** @param {readonly Consumer[]} consumers @param {(consumer: Consumer) => Promise<void>} action */
async function inParallel(consumers, action) {
  const waiting = [...consumers];
  const work = async () => {
    for (let consumer = waiting.shift(); consumer; consumer = waiting.shift()) await action(consumer);
  };
  await Promise.all([work(), work(), work()]);
}

/** @param {string} what @param {() => unknown} action @returns {Promise<string[]>} */
async function attempt(what, action) {
  try {
    await action();
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {Record<string, string>} */ (error);
    return [`${what}: ${`${stdout}${stderr}`.trim() || message}`];
  }
}
