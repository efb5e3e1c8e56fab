import { type DatapathViolation, formatViolation, type LanguageService } from '@ats/datapath';

/** A violation of a text, as `ats check --json` prints it. Positions are in UTF-16 units, lines and columns from 1. */
export interface Diagnostic {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
  /** Changes that end the violation, the most likely first. */
  readonly fixes: readonly { readonly offset: number; readonly length: number; readonly text: string }[];
}

/** The violations of a text, in the order of the text. */
export const check = (service: LanguageService, file: string, text: string): readonly Diagnostic[] =>
  service.diagnose(text).map((violation) => ({
    file,
    code: violation.code,
    message: String(violation.message),
    hint: violation.hint === undefined ? null : String(violation.hint),
    offset: violation.offset,
    length: violation.length,
    line: violation.line,
    column: violation.column,
    fixes: service.fixes(text, violation).map(({ edit }) => edit),
  }));

/** The violations of a text for people. */
export const checkText = (service: LanguageService, file: string, text: string): string =>
  service
    .diagnose(text)
    .map((violation: DatapathViolation) => `${file}:${formatViolation(violation)}\n`)
    .join('');
