import { type Language } from '@ats/domain';
import { localise } from '@ats/localisation';
import { Message } from '@ats/message';

/** JSON of a body whose messages are read in a language. */
export const localisedJson = (body: object, language: Language): string =>
  JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
    // What comes as `value` is English already.
    const given = this[name];
    return given instanceof Message ? localise(given, language) : value;
  });
