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

/** Returns what an interactive bash or zsh does to commands that a program runs as they are written. */
export function typingFaults(code: string): readonly string[] {
  const faults: string[] = [];
  // A quoted text, an escaped character, or any other character. Quotes inside other quotes have no meaning.
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
