import { type Message, message } from '@ats/message';

/** What can be expected or found that is a word of English; all else is written in expressions as it is. */
const WORDS: ReadonlyMap<string, Message> = new Map([
  ['datapath', message`datapath`],
  ['end of line', message`end of line`],
  ['end of text', message`end of text`],
  ['number', message`number`],
  ['string', message`string`],
]);

/** One of `Fault.expected`, or `Fault.found`, for people. */
export const toWord = (text: string): Message | string => WORDS.get(text) ?? text;

/** @param expected one or more */
export function expectedButFound(expected: readonly string[], found: string): Message {
  const words = expected.map(toWord);
  const last = words.pop() ?? '';
  if (words.length === 0) return message`expected ${last} but found ${toWord(found)}`;
  return message`expected ${words} or ${last} but found ${toWord(found)}`;
}
