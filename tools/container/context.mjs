// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

/**
 * `.dockerignore` as a predicate on paths below the context.
 * @param {string} context
 * @returns {(path: string) => boolean}
 */
export function ignored(context) {
  const patterns = readPatterns(join(context, '.dockerignore')).map(toRegExp);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** @param {string} file */
export function readPatterns(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** @param {string} pattern */
function toRegExp(pattern) {
  if (/[![\]?]/.test(pattern)) throw new Error(`.dockerignore: ${pattern} is not understood by tools/container`);
  const source = pattern
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : part.replace(/[.+^${}()|\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`);
}

/**
 * Copies like COPY: of a directory its contents, a file into the target when that is a directory.
 * @param {object} options
 * @param {string} options.from directory the sources are in
 * @param {readonly string[]} options.sources
 * @param {string} options.target
 * @param {(path: string) => boolean} [options.isIgnored] of a path relative to `from`
 */
export function copy({ from, sources, target, isIgnored = () => false }) {
  for (const source of sources) {
    const file = join(from, source);
    if (!existsSync(file)) throw new Error(`COPY: there is no ${source}`);
    const isDirectory = lstatSync(file).isDirectory();
    const to = isDirectory || !(target.endsWith('/') || existsSync(target)) ? target : join(target, basename(source));
    if (isDirectory) mkdirSync(target, { recursive: true });
    const filter = (/** @type {string} */ path) => !isIgnored(relative(from, path).split(sep).join('/'));
    cpSync(file, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/**
 * What a stage has made, into another: as hard links where both are on one file system. Nothing writes into a file that
 * another stage has made.
 * @param {{ from: string, to: string }} dirs
 */
export function linkContents({ from, to }) {
  try {
    execFileSync('cp', ['-alf', `${from}/.`, to], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-af', `${from}/.`, to]);
  }
}
