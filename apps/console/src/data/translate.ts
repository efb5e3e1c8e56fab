import { LANGUAGES, type Language, texts } from '../app/i18n.js';

/** Texts by their names, each in every language: a text that lacks a language is an error of the types. */
export type Texts = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Returns the function that reads texts which are grouped by their names. */
export function textsByName<All extends Texts>(all: All): ReturnType<typeof texts<Record<keyof All & string, string>>> {
  type Catalogue = Record<Language, Record<keyof All & string, string>>;
  const byLanguage = (language: string): [string, Record<string, string>] => [
    language,
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text[language as Language]])),
  ];
  return texts(Object.fromEntries(Object.keys(LANGUAGES).map(byLanguage)) as Catalogue);
}
