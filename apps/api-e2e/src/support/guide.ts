import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './app.js';

/** Commands that take longer are killed. */
const RUN_MS = 600_000;

/** A code block of a page, with all text before it. */
export interface Block {
  readonly code: string;
  readonly before: string;
}

/** Returns the code blocks of a language in a page, in their order. `page` is a path below the root. */
export function blocksOf(page: string, language: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ({ index, 1: code = '' }) => ({ code, before: text.slice(0, index) }),
  );
}

/**
 * Runs commands in one shell that ends with the first failed one.
 * @returns what they print, errors included
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
  if (code !== 0) throw new Error(`the commands ended with ${code}:\n${output}`);
  return output;
}
