import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatapathEntry } from '../src/index.js';

/**
 * A text with the completions that the language service must give, and every adapter to an editor, too. `|` marks the
 * cursor. The model is `recruiting.ts`.
 */
export interface CompletionCase {
  readonly text: string;
  /** The first suggestions that the service must give, in order. */
  readonly first?: readonly string[];
  /** All suggestions that the service must give, in order. */
  readonly all?: readonly string[];
  /** The text that results when the first suggestion is inserted. */
  readonly result?: string;
}

export interface DiagnosticCase {
  readonly text: string;
  /** The violations of the text: the code of each, and the part of the text that it marks. */
  readonly violations: readonly (readonly [code: string, marked: string])[];
  /** The text after the first fix of the first violation. Undefined when there is no fix. */
  readonly fixed?: string;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(__dirname, file), 'utf8'));

const corpus = read('language-corpus.json') as {
  readonly completions: readonly CompletionCase[];
  readonly diagnostics: readonly DiagnosticCase[];
};
export const COMPLETIONS = corpus.completions;
export const DIAGNOSTICS = corpus.diagnostics;

/**
 * The model `recruiting.ts` in the form of the catalogue of datapaths. Tests of other projects also read these files.
 */
export const CATALOGUE = read('language-model.json') as {
  readonly roots: readonly string[];
  readonly entries: readonly DatapathEntry[];
};
