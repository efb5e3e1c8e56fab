import { type Message, message } from '@ats/message';
import { DatapathError } from '../syntax/errors.js';
import { type CallToken, type Token } from '../syntax/token.js';
import { tokenize } from '../syntax/tokenizer.js';
import { typeText } from './completion.js';
import { type LanguageModel, type PropertyText, reach } from './language-model.js';

/** The explanation that an editor shows for the text under the pointer. */
export interface Hover extends PropertyText {
  /** The offset of the explained text. */
  readonly offset: number;
  /** The length of the explained text. */
  readonly length: number;
  /** The datapath up to the name under the pointer with its type, or the operator or function. */
  readonly signature: string;
  /** An explanation of an operator or function. */
  readonly meaning?: Message;
  /** All values that the datapath can have, when they are limited. */
  readonly values?: readonly string[];
}

/** Explains the name, function or operator at a position. Undefined when nothing is known about it. */
export function hover(text: string, offset: number, model: LanguageModel, roots: readonly string[]): Hover | undefined {
  const token = tokenAt(text, offset, model);
  if (token === undefined) return undefined;
  if (token.kind === 'path') return hoverName(token.path.text, token.offset, offset - token.offset, model, roots);
  if (token.kind === 'call') return hoverCall(token, model);
  const help = meanings[token.kind];
  return help && { offset: token.offset, length: token.length, ...help };
}

function tokenAt(text: string, offset: number, model: LanguageModel): Token | undefined {
  try {
    return tokenize(text, model).find((token) => token.offset <= offset && offset < token.offset + token.length);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}

function hoverName(
  path: string,
  start: number,
  at: number,
  model: LanguageModel,
  roots: readonly string[],
): Hover | undefined {
  const next = path.indexOf('.', at);
  const shown = next < 0 ? path : path.slice(0, next);
  const reached = reach(shown.split('.'), model, roots);
  if (reached === undefined) return undefined;
  const first = shown.lastIndexOf('.') + 1;
  return {
    offset: start + first,
    length: shown.length - first,
    signature: `${shown}: ${typeText(reached)}`,
    ...(reached.values && { values: reached.values }),
    ...(reached.owner && model.describe?.(reached.owner.name, reached.name)),
  };
}

function hoverCall({ offset, length, called }: CallToken, model: LanguageModel): Hover | undefined {
  const known = model.functions?.find(({ name }) => name === called.name);
  return known && { offset, length, signature: `${known.name}(${known.parameters.join(', ')}): ${known.result}` };
}

type Help = Pick<Hover, 'signature' | 'meaning'>;

const order = message`Compares numbers, texts, dates and durations. Nothing is less or greater than a missing value.`;
const both = message`The expression holds when both conditions hold.`;
const either = message`The expression holds when one of the conditions holds, or both.`;

/** The explanations of operators and functions. Source: docs/reference/expressions.md. */
const meanings: Readonly<Partial<Record<Token['kind'], Help>>> = {
  '==': {
    signature: 'a == b',
    meaning: message`The condition holds when the values are equal. A missing value equals only NULL.`,
  },
  '!=': { signature: 'a != b', meaning: message`The condition holds when the values are not equal.` },
  '<': { signature: 'a < b', meaning: order },
  '<=': { signature: 'a <= b', meaning: order },
  '>': { signature: 'a > b', meaning: order },
  '>=': { signature: 'a >= b', meaning: order },
  '=~': {
    signature: 'a =~ "text"',
    meaning: message`The condition holds when the left text contains the right one, regardless of case.`,
  },
  '!~': {
    signature: 'a !~ "text"',
    meaning: message`The condition holds when the left text does not contain the right one.`,
  },
  IN: { signature: 'a IN {1, 2}', meaning: message`The condition holds when the list has the value.` },
  AND: { signature: 'a AND b', meaning: both },
  OR: { signature: 'a OR b', meaning: either },
  NOT: { signature: 'NOT a', meaning: message`The expression holds when the condition does not hold.` },
  DATE: {
    signature: 'DATE("today"), DATE("now"), DATE("2026-11-21")',
    meaning: message`A date or a timestamp. "today" is the day and "now" the time of the event or the request.`,
  },
  DTDURATION: {
    signature: 'DTDURATION(days, hours, minutes, seconds)',
    meaning: message`A duration, which can be added to a date or a timestamp.`,
  },
};
