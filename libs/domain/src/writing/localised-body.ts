import { type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { defaultLanguage } from '../reading/default-language.js';
import { type WriteBody } from './write-schema.js';
import { type LocalisedText, storedText } from '../vocabulary/localised-text.js';

/** Converts the localised texts of a checked body, and of its lists of related rows, to the stored form. */
export async function localisedBody(transaction: Transaction, type: ObjectType, body: WriteBody): Promise<WriteBody> {
  return hasLocalisedTexts(type) ? stored(type, body, await defaultLanguage(transaction)) : body;
}

const localisedNames = ({ attributes }: ObjectType): string[] =>
  Object.entries(attributes).flatMap(([name, { isLocalised, write }]) => (isLocalised && write ? [name] : []));

const writtenLists = ({ relations }: ObjectType): [string, ObjectType][] =>
  Object.entries(relations).flatMap(([name, { many, write, target }]): [string, ObjectType][] =>
    many && write ? [[name, getObjectType(target)]] : [],
  );

const hasLocalisedTexts = (type: ObjectType): boolean =>
  localisedNames(type).length > 0 || writtenLists(type).some(([, target]) => hasLocalisedTexts(target));

function stored(type: ObjectType, body: WriteBody, language: string): WriteBody {
  const result: Record<string, unknown> = { ...body };
  for (const name of localisedNames(type)) {
    const given = body[name];
    if (given !== undefined && given !== null) result[name] = storedText(given as string | LocalisedText, language);
  }
  for (const [name, target] of writtenLists(type)) {
    const elements = body[name];
    if (Array.isArray(elements))
      result[name] = (elements as readonly WriteBody[]).map((element) => stored(target, element, language));
  }
  return result;
}
