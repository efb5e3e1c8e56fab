import { type Fault } from '../src/lib/syntax/errors.js';

/** A fault as who reads English sees it. */
export type EnglishFault = Omit<Fault, 'message' | 'hint'> & { readonly message: string; readonly hint: string | null };

export const inEnglish = ({ message, hint, ...fault }: Fault): EnglishFault => ({
  ...fault,
  message: String(message),
  hint: hint && String(hint),
});
