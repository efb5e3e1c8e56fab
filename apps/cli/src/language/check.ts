import { type DatapathViolation, formatViolation, type LanguageService } from '@ats/datapath';

/**
 * A violation in an expression, as `ats check --json` prints it. Columns count UTF-16 units. Lines and columns start at
 * 1.
 */
export interface Diagnostic {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
  /** Changes that fix the violation. The most likely one comes first. */
  readonly fixes: readonly { readonly offset: number; readonly length: number; readonly text: string }[];
}

/** Returns the violations of a text, in the order of the text. */
export const check = (service: LanguageService, file: string, text: string): readonly Diagnostic[] =>
  service.diagnose(text).map((violation) => ({
    file,
    code: violation.code,
    message: String(violation.message),
    hint: violation.hint === null ? null : String(violation.hint),
    offset: violation.offset,
    length: violation.length,
    line: violation.line,
    column: violation.column,
    fixes: service.fixes(text, violation).map(({ edit }) => edit),
  }));

/** Returns the violations of a text as lines for people. */
export const checkText = (service: LanguageService, file: string, text: string): string =>
  service
    .diagnose(text)
    .map((violation: DatapathViolation) => `${file}:${formatViolation(violation)}\n`)
    .join('');
