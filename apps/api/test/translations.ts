import { type Language, LANGUAGES } from '@ats/domain';
import { type ProblemBody } from './answer.js';

/** Those that texts are translated to. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

export const speaking = (language: Language): { readonly 'accept-language': string } => ({
  'accept-language': language,
});

/** Whatever a person reads of a problem. */
export const textsOf = ({ message, errors = [] }: ProblemBody): readonly string[] => [
  message,
  ...errors.flatMap(({ info }) => info ?? []),
];

/** A problem without what is said in a language, and without its id. */
export const codesOf = ({ errors = [] }: ProblemBody): readonly unknown[] =>
  errors.map(({ info, ...fault }) => ({ ...fault, isExplained: info !== undefined }));

/** The texts of a problem that are English in another language, whole or in part. */
export function englishIn(english: ProblemBody, translated: ProblemBody): readonly string[] {
  const texts = new Set(textsOf(english));
  const phrases = new Set([...texts].flatMap(phrasesOf));
  return textsOf(translated).filter((text) => texts.has(text) || phrasesOf(text).some((phrase) => phrases.has(phrase)));
}

/** Every three words in a row. What stands in quotation marks is a client's. */
function phrasesOf(text: string): string[] {
  const words = text.replaceAll(/"[^"]*"?/g, '"').split(' ');
  return words.flatMap((word, index) => {
    const phrase = words.slice(index, index + 3);
    return phrase.length === 3 && phrase.every((one) => /^[a-z'’]+[:,]?$/i.test(one)) && !/,$/.test(word)
      ? [phrase.join(' ')]
      : [];
  });
}
