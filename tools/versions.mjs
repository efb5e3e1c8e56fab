// @ts-check
/** Prints the differences between minor versions: `npm run versions`. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './node.mjs';
import { root } from './workspace.mjs';

/** @typedef {{ operation: string, title: string, places: readonly string[] }} Difference */
/** @typedef {{ older: string, newer: string, differences: readonly Difference[] }} Boundary */

const about = `Calls every operation in every version on equal data, and prints where neighbouring versions
differ. Fails unless these are exactly the declared differences (apps/api/src/versions/changes).`;

await runTool(async () => {
  if (process.argv.length > 2) return void console.log(`usage: npm run versions\n${about}`);
  const folder = await mkdtemp(join(tmpdir(), 'versions-'));
  try {
    const report = join(folder, 'report.json');
    const { code, output } = await runSpec(report);
    const boundaries = await readReport(report);
    for (const boundary of boundaries) print(boundary);
    if (code !== 0) console.error(output);
    console.log(
      code === 0
        ? '\nThe versions differ exactly as declared.'
        : '\nFAILED: the differences between the versions are not the declared ones; the test output has the details.',
    );
    process.exitCode = code;
  } finally {
    await rm(folder, { recursive: true });
  }
});

/**
 * Runs the spec that compares the versions and writes a report.
 * @param {string} report @returns {Promise<{ code: number, output: string }>}
 */
async function runSpec(report) {
  const jest = [
    process.execPath,
    join(root, 'node_modules/jest/bin/jest.js'),
    '-c',
    'apps/api/jest.db.config.mjs',
    '--runInBand',
    '--forceExit',
    'versions.http-spec',
  ];
  const child = spawn(process.execPath, [join(root, 'tools/with-services.mjs'), '--', ...jest], {
    cwd: root,
    env: { ...process.env, VERSIONS_REPORT: report },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = /** @type {string[]} */ ([]);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, output: output.join('') };
}

/**
 * Reads the report.
 * @param {string} report
 * @returns {Promise<readonly Boundary[]>} empty when the spec failed before it wrote the report
 */
async function readReport(report) {
  return JSON.parse(await readFile(report, 'utf8').catch(() => '[]'));
}

/**
 * Prints the differences of one version, grouped by operations with the same differences.
 * @param {Boundary} boundary
 */
function print({ older, newer, differences }) {
  console.log(`\n${older} → ${newer}`);
  const groups = new Map();
  for (const { operation, title, places } of differences) {
    const key = places.join('\n').replaceAll(/\/\d+"/g, '/<id>"');
    groups.set(key, [...(groups.get(key) ?? []), title ? `${operation} (${title})` : operation]);
  }
  for (const [places, operations] of groups) {
    for (const operation of operations) console.log(`  ${operation}`);
    for (const place of places.split('\n')) console.log(`      ${place}`);
  }
  if (differences.length === 0) console.log('  no difference');
}
