import { type Message } from '@ats/message';

/** One thing wrong with the query, for the client that sent it. */
export interface ParameterFault {
  readonly parameter: string;
  readonly code: 'invalid';
  /** What was expected and what was found, the found text in quotation marks and cut to a sane length. */
  readonly info: Message;
}

/** What a fault quotes at most, so that hostile text does not fill the answer. */
const QUOTED_CHARACTERS = 40;

export const invalid = (parameter: string, info: Message): ParameterFault => ({ parameter, code: 'invalid', info });

/** A text of a client for a message: in quotation marks, escaped as in JSON, cut after 40 characters. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_CHARACTERS + 1)]; // a character is two units at most
  const isCut = characters.length > QUOTED_CHARACTERS;
  return JSON.stringify(isCut ? `${characters.slice(0, QUOTED_CHARACTERS).join('')}…` : text);
}
