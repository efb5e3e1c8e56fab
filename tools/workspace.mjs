// @ts-check
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The root directory of the workspace. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** The folder of files that tools keep between runs. Git ignores it. */
export const dataDir = join(root, '.data');

/** A name of this clone, derived from its path. */
export const cloneName = `ats-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;

/** Creates `.data`. The unprivileged account of the servers may traverse it, but not list it. */
export function makeDataDir() {
  mkdirSync(dataDir, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  return dataDir;
}

/** An error that the user or the machine causes. Tools print its message without a stack trace. */
export class PlainError extends Error {}
