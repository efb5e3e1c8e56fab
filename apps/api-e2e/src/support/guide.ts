import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './app.js';

/** Maximum duration of a command in ms. A command that takes longer is killed. */
const RUN_MS = 600_000;

/** A code block of a page, with the text before it. */
export interface Block {
  readonly code: string;
  readonly before: string;
}

/**
 * Returns the code blocks of one language in a page, in their order. `page` is a path below the root of the repository.
 */
export function blocksOf(page: string, language: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ({ index, 1: code = '' }) => ({ code, before: text.slice(0, index) }),
  );
}

/** Writes the addresses and the token of a service into a folder, as `npm start` writes them into a clone. */
export function writeAddresses(folder: string, { baseUrl, token }: { baseUrl: string; token: string }): void {
  const base = new URL(baseUrl).origin;
  const lines = [`BASE=${base}`, `ATS=${base}/api/v1`, `TOKEN=${token}`, 'MAILBOX=http://localhost'];
  mkdirSync(join(folder, '.data'), { recursive: true });
  writeFileSync(join(folder, '.data/start.env'), [...lines, 'DATABASE_SERVER='].join('\n'));
}

/**
 * Runs commands in one shell that ends with the first failed one.
 * @returns their output, including errors
 * @throws {Error} with the output, when a command fails
 */
export async function runCommands(
  commands: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn('bash', ['--norc', '-c', ['set -euo pipefail', ...commands].join('\n')], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ...options.env },
    timeout: RUN_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the commands of the guide ended with exit code ${code}. Their output:\n${output}`);
  return output;
}

/**
 * Returns the faults that commands have when a user types them into an interactive bash or zsh. These shells change
 * some characters that scripts keep.
 */
export function typingFaults(code: string): readonly string[] {
  const faults: string[] = [];
  // Matches a quoted text, an escaped character, or any other character. A quote inside other quotes has no meaning.
  for (const [text] of code.matchAll(
    /"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|(?<=^|\s)#.*|\bfield [^\s'"|)]*\[|[\s\S]/g,
  )) {
    if (text.startsWith('#')) faults.push(`a comment, which zsh runs as a command: ${text}`);
    if (/^"[\s\S]*![A-Za-z]/.test(text))
      faults.push(`a \`!\` between double quotes, which the shell replaces by an old command: ${text}`);
    if (text.startsWith('field '))
      faults.push(`an index without quotes, which zsh takes for a pattern of file names: ${text}`);
  }
  return faults;
}
