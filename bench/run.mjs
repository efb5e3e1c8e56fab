import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../tools/workspace.mjs';

/**
 * `npm run bench -- <name> [options]` builds the projects of a benchmark and runs it. A benchmark is a module of this
 * folder that exports `projects`, the Nx projects to build, and `run(options)`. Other modules export no `run`.
 */
const root = join(import.meta.dirname, '..');
const [name, ...options] = process.argv.slice(2);
const benches = await findBenches();
const bench = benches.get(name ?? '');
if (bench === undefined) {
  console.error(`Usage: npm run bench -- <name>, where <name> is one of: ${[...benches.keys()].join(', ')}`);
  process.exitCode = 2;
} else if (build(bench.projects)) {
  await runBench();
} else {
  process.exitCode = 1;
}

async function runBench() {
  try {
    await bench.run(options);
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

/**
 * Loads all benchmarks of this folder, by name.
 * @returns {Promise<Map<string, { projects: string[], run(options: string[]): unknown }>>}
 */
async function findBenches() {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.mjs') && file !== 'run.mjs');
  const found = new Map();
  for (const file of files.sort()) {
    const module = await import(`./${file}`);
    if (typeof module.run === 'function') found.set(file.slice(0, -'.mjs'.length), module);
  }
  return found;
}

/**
 * Builds projects. Returns false and prints the output when the build fails.
 * @param {string[]} projects
 */
function build(projects) {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const command = [nx, 'run-many', '-t', 'build', '-p', projects.join(','), '--output-style=stream'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) console.error(stdout + stderr);
  return status === 0;
}
