import { type Message } from '@ats/message';

/** One violation in the query of a request. */
export interface ParameterViolation {
  /** The name of the parameter. */
  readonly parameter: string;
  /** The code of the violation. All violations have the same code. */
  readonly code: 'invalid';
  /** Says what was expected, and quotes what was found, shortened to 40 characters. */
  readonly message: Message;
}

/** Maximum length of a quotation, so that a hostile text does not fill the answer. */
const QUOTED_CHARACTERS = 40;

export const invalid = (parameter: string, message: Message): ParameterViolation => ({
  parameter,
  code: 'invalid',
  message,
});

/** Quotes a client's text for a message: in quotation marks, escaped as in JSON, and shortened to 40 characters. */
export function quote(text: string): string {
  // This slice is long enough, because a character has at most two UTF-16 units.
  const characters = [...text.slice(0, 2 * QUOTED_CHARACTERS + 1)];
  const isCut = characters.length > QUOTED_CHARACTERS;
  return JSON.stringify(isCut ? `${characters.slice(0, QUOTED_CHARACTERS).join('')}…` : text);
}
