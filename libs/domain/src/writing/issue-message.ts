import { findSimilar } from '@ats/datapath';
import { Message, message, packed, unpacked } from '@ats/message';
import { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const OTHER = message`expected another value`;
const UNKNOWN_PROPERTY = message`unknown property`;

/**
 * Replaces zod's texts by messages of this service. Pass it to `safeParse` when you check a value of a client. A schema
 * may have a message of its own: `` { error: packed(message`expected a currency`) } ``.
 */
export const ISSUE_MESSAGES: z.core.ParseContext<z.core.$ZodIssue> = { error: (issue) => packed(described(issue)) };

/**
 * Returns the message of an issue. A text that `packed` did not make has no translation, so a general message replaces
 * it.
 */
export const issueMessage = (issue: { readonly message: string } | undefined): Message =>
  unpacked(issue?.message ?? '') ?? OTHER;

/**
 * Returns the message of an unknown property. It suggests the most similar name that the schema allows at that place.
 * @param issue  an issue of a check with {@link ISSUE_MESSAGES}
 */
export function unknownPropertyMessage(issue: { readonly message: string }, name: string): Message {
  const similar = findSimilar(name, issueMessage(issue).values.map(String));
  return similar === undefined ? UNKNOWN_PROPERTY : message`unknown property; did you mean "${similar}"?`;
}

/** Stores the allowed names as values of the message, because zod removes the schema from the issue afterwards. */
const unknownProperty = (schema: unknown): Message =>
  new Message(UNKNOWN_PROPERTY.pattern, schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : []);

function described(issue: RawIssue): Message {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? OTHER;
    case 'too_small':
      return least(issue.origin, Number(issue.minimum));
    case 'too_big':
      return most(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return FORMATS[issue.format] ?? message`expected a text in another format`;
    case 'invalid_value':
      return message`expected one of ${issue.values.map(String)}`;
    case 'unrecognized_keys':
      return unknownProperty(issue.inst);
    default:
      return OTHER;
  }
}

const TYPES: Readonly<Record<string, Message>> = {
  string: message`expected a text`,
  number: message`expected a number`,
  int: message`expected a whole number`,
  boolean: message`expected true or false`,
  array: message`expected a list`,
  object: message`expected a JSON object`,
};

const FORMATS: Readonly<Record<string, Message>> = {
  email: message`expected an e-mail address`,
  date: message`expected a date as ${'YYYY-MM-DD'}`,
  datetime: message`expected a timestamp as ${'YYYY-MM-DDThh:mm:ss.sssZ'}`,
};

function least(origin: string, minimum: number): Message {
  if (origin === 'string')
    return minimum === 1
      ? message`expected a text that is not empty`
      : message`expected at least ${minimum} characters`;
  if (origin === 'array') return message`expected at least ${minimum} elements`;
  return message`expected at least ${minimum}`;
}

function most(origin: string, maximum: number): Message {
  if (origin === 'string') return message`expected at most ${maximum} characters`;
  if (origin === 'array') return message`expected at most ${maximum} elements`;
  return message`expected at most ${maximum}`;
}
