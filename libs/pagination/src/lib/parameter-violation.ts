import { type Message } from '@ats/message';

/** One violation in the query of a request. */
export interface ParameterViolation {
  /** The name of the parameter. */
  readonly parameter: string;
  /** The same code for every violation. */
  readonly code: 'invalid';
  /** States what was expected and quotes what was found, cut after 40 characters. */
  readonly message: Message;
}

/** Longest quotation, so that a hostile text does not fill the answer. */
const QUOTED_CHARACTERS = 40;

export const invalid = (parameter: string, message: Message): ParameterViolation => ({
  parameter,
  code: 'invalid',
  message,
});

/** Quotes a client's text for a message: in quotation marks, escaped as in JSON, cut after 40 characters. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_CHARACTERS + 1)]; // a character has at most two UTF-16 units
  const isCut = characters.length > QUOTED_CHARACTERS;
  return JSON.stringify(isCut ? `${characters.slice(0, QUOTED_CHARACTERS).join('')}…` : text);
}
