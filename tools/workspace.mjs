// @ts-check
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The top of the workspace. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** What tools keep between runs (ignored by git). */
export const dataDir = join(root, '.data');

/** A name for this clone that stays the same as long as it is not moved. */
export const cloneName = `ats-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;

/** Makes `.data` and lets the unprivileged account that runs the servers pass through it, but not look inside. */
export function makeDataDir() {
  mkdirSync(dataDir, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  return dataDir;
}

/** A mistake of the user or of the machine, said in one line: no stack trace is printed for it. */
export class PlainError extends Error {}
