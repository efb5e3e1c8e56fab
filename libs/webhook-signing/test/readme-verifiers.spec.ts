import { execSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileMessages } from './hostile-messages.js';
import { VERIFIER_DRIVERS, type VerifierDriver } from './verifier-drivers.js';
import { readVectors, type SignatureVector } from './vectors.js';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const vectors = readVectors().signatures.map((vector) => ({ ...vector, isGenuine: vector.code === null }));
/** All messages go to one process, because starting an interpreter takes longer than verifying. */
const messages = [...vectors, ...hostileMessages(2_000)];
const COMPILING_TAKES_MS = 120_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verifiers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the first code block under the heading `### <language>`. */
function findBlock(language: string): string | null {
  const section = README.split(/^### /m).find((text) => text.startsWith(`${language}\n`)) ?? '';
  return /^```\w+\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? null;
}

function isInstalled(command: string): boolean {
  const name = command.split(' ')[0];
  return spawnSync(`command -v ${name} && ${command}`, { shell: true, stdio: 'ignore' }).status === 0;
}

function toLine(vector: Omit<SignatureVector, 'code'>): string {
  const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  const keys = vector.keys.map(base64).join(',');
  return [vector.body_base64, base64(vector.header), keys, vector.tolerance_seconds, vector.now].join('\t');
}

/** Runs a verifier on all messages. Returns the names of the messages that it accepts. */
function findAccepted({ language, file, driver, run }: VerifierDriver): readonly string[] {
  const home = join(folder, language.replace(/\W/g, 'sharp'));
  for (const [name, text] of Object.entries({ ...driver, [file]: findBlock(language) ?? '' })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const input = messages.map((message) => `${toLine(message)}\n`).join('');
  const compile = run.slice(0, -1);
  for (const command of compile) execSync(command, { cwd: home });
  const verdicts = execSync(run.at(-1) ?? '', { cwd: home, input, encoding: 'utf8' })
    .trim()
    .split(/\r?\n/);
  expect(verdicts).toHaveLength(messages.length);
  return messages.filter((_, index) => verdicts[index] === 'true').map(({ name }) => name);
}

describe('the verifiers of the README', () => {
  const genuine = messages.filter(({ isGenuine }) => isGenuine);

  test('are tested with genuine and forged messages besides the vectors', () => {
    const ofHostile = genuine.length - vectors.filter(({ isGenuine }) => isGenuine).length;
    expect(ofHostile).toBeGreaterThan(100);
    expect(ofHostile).toBeLessThan(1_000);
  });

  test.each(VERIFIER_DRIVERS)('include one code block for $language', ({ language }) => {
    expect(findBlock(language)?.trim().split('\n').length).toBeGreaterThan(10);
  });

  for (const verifier of VERIFIER_DRIVERS) {
    const isHere = verifier.needs.every(isInstalled);
    const title = `the verifier for ${verifier.language} accepts exactly the messages that the library accepts`;
    const run = () => expect(findAccepted(verifier)).toEqual(genuine.map(({ name }) => name));
    if (isHere) test(title, run, COMPILING_TAKES_MS);
    else test.skip(`${title} (not run: no ${verifier.language} on this machine)`, run);
  }

  const openssl = isInstalled('openssl version') ? test : test.skip;
  openssl('the line for the shell prints the signature that openssl makes', () => {
    const line = findBlock('Shell') ?? '';
    for (const {
      body_base64,
      header,
      keys: [key],
    } of vectors.filter(({ isGenuine, keys }) => isGenuine && keys.length === 1)) {
      const [timestamp, signature] = header.split(',');
      writeFileSync(join(folder, 'body.json'), Buffer.from(body_base64, 'base64'));
      const output = execSync(line, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, timestamp, signing_key: key },
      });
      expect(output.trim()).toBe(signature);
    }
  });
});
