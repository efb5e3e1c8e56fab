import { type Language, localise } from '@ats/domain';
import { Message } from '@ats/message';

/** Serialises a body as JSON, with its messages translated into a language. */
export const localisedJson = (body: object, language: Language): string =>
  JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
    // `value` is the English text that `toJSON` returned. `this` holds the message itself, which is translated.
    const given = this[name];
    return given instanceof Message ? localise(given, language) : value;
  });
