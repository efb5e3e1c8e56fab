import { message, packed } from '@ats/message';
import { filledText } from '../vocabulary/value-schema.js';

const MAX_NAME = 255;

/**
 * Matches control characters, lone surrogates, line separators, and the characters that change the direction of text.
 * Characters that change the direction can hide the real ending of a name: `cv\u202efdp.exe` looks like `cvexe.pdf`.
 */
const FORBIDDEN = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns the last part of a path with the separators of any operating system. */
const lastPart = (path: string): string => path.split(/[/\\]/).at(-1) ?? '';

/** True for `.` and `..`, which name folders. */
const isFolder = (name: string): boolean => /^\.{1,2}$/.test(name);

/**
 * Makes a file name that is safe to show and to save. Removes a path, control characters and characters that change the
 * direction of text.
 * @returns the safe name; an empty text when all characters were removed
 */
export function cleanDocumentName(given: string): string {
  const name = lastPart(given.normalize('NFC').replaceAll(FORBIDDEN, '')).trim();
  return isFolder(name) ? '' : name.slice(0, MAX_NAME).replaceAll(FORBIDDEN, '');
}

/** The schema of a name from a client. The name must be safe already. */
export const documentNameSchema = filledText(MAX_NAME).refine(
  (name) => name.replaceAll(FORBIDDEN, '') === name && lastPart(name) === name && !isFolder(name),
  { error: packed(message`expected a file name without a path, control characters and marks of text direction`) },
);
