import { type DatapathViolation } from '../src/lib/syntax/errors.js';

/** A violation with its message and hint in English. */
export type EnglishViolation = Omit<DatapathViolation, 'message' | 'hint'> & {
  readonly message: string;
  readonly hint: string | null;
};

export const inEnglish = ({ message, hint, ...violation }: DatapathViolation): EnglishViolation => ({
  ...violation,
  message: String(message),
  hint: hint && String(hint),
});
