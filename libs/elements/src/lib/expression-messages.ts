import { TRANSLATIONS } from '@ats/datapath/translations';
import { createLocaliser } from '@ats/localisation';
import { type Message } from '@ats/message';
import { type Language } from './languages.js';

const { localise } = createLocaliser(TRANSLATIONS);

/** Returns the function that writes messages of the language service in a language. */
export const messageWriter =
  (language: Language) =>
  (message: Message): string =>
    localise(message, language);
