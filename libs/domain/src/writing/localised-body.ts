import { isDeepStrictEqual } from 'node:util';
import { type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { languagesOf } from '../reading/default-language.js';
import { type LocalisedText, localisedValue, storedText, type TextLanguages } from '../vocabulary/localised-text.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type WriteBody } from './write-schema.js';

export interface LocalisedWrite {
  readonly body: WriteBody;
  /** The object before the write, with the texts in all languages. */
  readonly before?: WriteBody;
  /** The settings with which the client reads the object. */
  readonly settings?: { readonly language: string };
}

/**
 * Converts the localised texts of a checked body, and of its lists of related rows, to the stored form. A text that the
 * client sends back unchanged keeps its translations.
 */
export async function localisedBody(
  transaction: Transaction,
  type: ObjectType,
  { body, before = {}, settings }: LocalisedWrite,
): Promise<WriteBody> {
  return hasLocalisedTexts(type) ? stored(type, body, before, await languagesOf(transaction, settings)) : body;
}

const localisedNames = ({ attributes }: ObjectType): string[] =>
  Object.entries(attributes).flatMap(([name, { isLocalised, write }]) => (isLocalised && write ? [name] : []));

const writtenLists = ({ relations }: ObjectType): [string, ObjectType][] =>
  Object.entries(relations).flatMap(([name, { many, write, target }]): [string, ObjectType][] =>
    many && write ? [[name, getObjectType(target)]] : [],
  );

export const hasLocalisedTexts = (type: ObjectType): boolean =>
  localisedNames(type).length > 0 || writtenLists(type).some(([, target]) => hasLocalisedTexts(target));

function stored(type: ObjectType, body: WriteBody, before: WriteBody, languages: TextLanguages): WriteBody {
  const result: Record<string, unknown> = { ...body };
  for (const name of localisedNames(type)) {
    const given = body[name] as string | LocalisedText | undefined | null;
    if (given !== undefined && given !== null)
      result[name] = storedText(given, languages, before[name] as LocalisedText | undefined);
  }
  for (const [name, target] of writtenLists(type)) {
    const elements = body[name];
    const known = (before[name] ?? []) as readonly WriteBody[];
    if (Array.isArray(elements))
      result[name] = (elements as readonly WriteBody[]).map((element, index) =>
        stored(target, element, counterpart(target, element, { known, index, languages }) ?? {}, languages),
      );
  }
  return result;
}

interface Known {
  readonly known: readonly WriteBody[];
  /** The position of the element in its list in the body. */
  readonly index: number;
  readonly languages: TextLanguages;
}

/**
 * Finds the stored element that an element of the body replaces. Elements have no ids, so the function chooses the
 * stored element with the most equal values. Among several such elements, it chooses the one at the same position.
 */
function counterpart(type: ObjectType, element: WriteBody, { known, index, languages }: Known): WriteBody | undefined {
  const localised = new Set(localisedNames(type));
  const isEqual = (name: string, value: unknown, other: WriteBody): boolean =>
    localised.has(name) && typeof value === 'string'
      ? value === localisedValue(other[name], languages)
      : isDeepStrictEqual(value, other[name]);
  const likeness = (other: WriteBody, place: number): number =>
    Object.entries(element).filter(([name, value]) => isEqual(name, value, other)).length + (place === index ? 0.5 : 0);
  const [best] = known
    .map((other, place) => ({ other, likeness: likeness(other, place) }))
    .sort((a, b) => b.likeness - a.likeness);
  return best?.other;
}
