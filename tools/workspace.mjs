// @ts-check
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The root directory of the workspace. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** Files that tools keep between runs (ignored by git). */
export const dataDir = join(root, '.data');

/** A name for this clone, which changes only when the clone is moved. */
export const cloneName = `ats-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;

/** Creates `.data`. The unprivileged account of the servers may traverse it, but not list it. */
export function makeDataDir() {
  mkdirSync(dataDir, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  return dataDir;
}

/** An error of the user or the machine, which is printed as one line without a stack trace. */
export class PlainError extends Error {}
