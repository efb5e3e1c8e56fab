import { type WriteSchema } from '../support/changeable-items.js';

/**
 * Matches every canary: a value that occurs nowhere else, so that a test finds each answer that shows it. A canary is a
 * word of eight letters, a number of eight digits, or a day in the 18th or 22nd century.
 */
const CANARY = /zq[a-z]{6}|(?<![\da-f])8140\d{4}(?![\da-f])|(?<!\d)(?:17|21)[5-9]\d-\d\d-\d\d/g;
/** Matches a certificate. Its random letters would match {@link CANARY} by chance. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the canaries in a text. */
export const canariesIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.replace(CERTIFICATE, '').matchAll(CANARY), ([found]) => found));

const DAY_MS = 86_400_000;
const FIRST_NUMBER = 81_400_001;
const LETTERS = 26;

let made = 0;

/** Makes a word that occurs nowhere else. */
export function word(): string {
  let rest = ++made;
  const letters = Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(97 + (rest % LETTERS));
    rest = Math.floor(rest / LETTERS);
    return letter;
  });
  return `zq${letters.reverse().join('')}`;
}

/** Makes a number that occurs nowhere else. Each is greater than the one before. */
export const number = (): number => FIRST_NUMBER + ++made;
/** Makes a day in the 22nd century that occurs nowhere else. Each is later than the one before. */
export const futureDay = (): string => new Date(Date.UTC(2150, 0, 1) + ++made * DAY_MS).toISOString().slice(0, 10);
/** Makes a day in the 18th century that occurs nowhere else. Each is later than the one before. */
export const pastDay = (): string => new Date(Date.UTC(1750, 0, 1) + ++made * DAY_MS).toISOString().slice(0, 10);

/** Maps the name of a property to its value, for values that do not follow from the schema of a body alone. */
export type OwnValues = Readonly<Record<string, unknown>>;

/**
 * Makes a body with a canary in every property that can hold one.
 * @param own  maps the name of a property at any depth to its value; undefined leaves the property out
 */
export function canaryBody({ properties = {} }: WriteSchema, own: OwnValues = {}): Record<string, unknown> {
  const filled = Object.entries(properties).map(([name, schema]) => [
    name,
    name in own ? own[name] : canaryFor(name, schema, own),
  ]);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

function canaryFor(name: string, schema: WriteSchema & { readonly maximum?: number }, own: OwnValues): unknown {
  const type = [schema.type ?? []].flat()[0];
  if (schema.anyOf) return canaryFor(name, schema.anyOf[0] ?? {}, own);
  if (schema.enum) return schema.enum[0];
  if (name.endsWith('_id') || name.endsWith('_ids')) return undefined;
  if (schema.format === 'date') return futureDay();
  if (schema.format === 'date-time') return `${futureDay()}T09:00:00.000Z`;
  if (schema.format === 'email') return `${word()}@example.com`;
  if (schema.format === 'uri' || name.endsWith('_url')) return `https://${word()}.example.com/`;
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number')
    return (schema.maximum ?? Number.MAX_SAFE_INTEGER) > FIRST_NUMBER ? number() : schema.maximum;
  if (type === 'array') return [canaryFor(name, schema.items ?? {}, own)].filter((value) => value !== undefined);
  if (type === 'object') return canaryBody(schema, own);
  return word();
}
