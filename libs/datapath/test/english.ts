import { type Fault } from '../src/lib/syntax/errors.js';

/** A fault with its message and hint in English. */
export type EnglishFault = Omit<Fault, 'message' | 'hint'> & { readonly message: string; readonly hint: string | null };

export const inEnglish = ({ message, hint, ...fault }: Fault): EnglishFault => ({
  ...fault,
  message: String(message),
  hint: hint && String(hint),
});
