import { type Message, message } from '@ats/message';
import { type Operand, type OperandType } from './condition.js';

type NamedType = Exclude<OperandType, 'null' | 'unknown'>;

const ONE: Readonly<Record<NamedType, Message>> = {
  boolean: message`a boolean`,
  date: message`a date`,
  datetime: message`a datetime`,
  duration: message`a duration`,
  number: message`a number`,
  text: message`a text`,
};

const MANY: Readonly<Record<NamedType, Message>> = {
  boolean: message`a list of booleans`,
  date: message`a list of dates`,
  datetime: message`a list of datetimes`,
  duration: message`a list of durations`,
  number: message`a list of numbers`,
  text: message`a list of texts`,
};

/** Describes an operand for the message of a violation. */
export function describe({ kind, type, many, ...rest }: Operand): Message | string {
  if (type === 'null' || type === 'unknown') return type;
  if (kind === 'constant' && type === 'text') return message`a string`;
  const noun = (many ? MANY : ONE)[type];
  return 'path' in rest ? message`"${rest.path.text}" (${noun})` : noun;
}

/** Returns the name of a type for a violation. */
export const nounOf = (type: OperandType): Message | string =>
  type === 'null' || type === 'unknown' ? type : ONE[type];

/** Suggests how to write a literal so that it has the type of the other operand of the comparison. */
export function literalHint(literal: Operand, other: Operand): Message | undefined {
  const instead = literalInstead(literal, other);
  return instead === undefined ? undefined : message`write ${instead}`;
}

function literalInstead(literal: Operand, other: Operand): string | undefined {
  if (literal.kind !== 'constant' || other.kind === 'constant') return undefined;
  const { value } = literal;
  if (typeof value === 'number' && other.type === 'text') return `"${String(value)}"`;
  if (typeof value !== 'string') return undefined;
  if (other.type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return value;
  const isBoolean = other.type === 'boolean' && /^(true|false)$/i.test(value);
  return isBoolean ? value.toLowerCase() : undefined;
}
