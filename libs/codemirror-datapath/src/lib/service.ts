import { type LanguageService } from '@ats/datapath';
import { type Message } from '@ats/message';

/** The language service of an editor, or a function that returns the present one. */
export type ExpressionService = LanguageService | (() => LanguageService);

/** Writes a message in the language of the reader, such as `translate` of a translator of `@ats/localisation`. */
export type WriteText = (message: Message) => string;

export const serviceOf = (service: ExpressionService): LanguageService =>
  typeof service === 'function' ? service() : service;
