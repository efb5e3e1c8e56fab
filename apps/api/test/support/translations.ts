import { type Language, LANGUAGES } from '@ats/domain';
import { type ProblemBody } from './answer.js';

/** Languages that texts are translated to. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

export const speaking = (language: Language): { readonly 'accept-language': string } => ({
  'accept-language': language,
});

/** All texts of an error body that a person reads. */
export const textsOf = ({ message, errors = [] }: ProblemBody): readonly string[] => [
  message,
  ...errors.flatMap(({ info }) => info ?? []),
];

/** Returns the violations of an error body without their texts. */
export const codesOf = ({ errors = [] }: ProblemBody): readonly unknown[] =>
  errors.map(({ info, ...violation }) => ({ ...violation, isExplained: info !== undefined }));

/** @returns the texts of a translated error body that are still English, whole or in part */
export function englishIn(english: ProblemBody, translated: ProblemBody): readonly string[] {
  const texts = new Set(textsOf(english));
  const phrases = new Set([...texts].flatMap(phrasesOf));
  return textsOf(translated).filter((text) => texts.has(text) || phrasesOf(text).some((phrase) => phrases.has(phrase)));
}

/** @returns every sequence of three words, without quoted text, because that comes from the client */
function phrasesOf(text: string): string[] {
  const words = text.replaceAll(/"[^"]*"?/g, '"').split(' ');
  return words.flatMap((word, index) => {
    const phrase = words.slice(index, index + 3);
    return phrase.length === 3 && phrase.every((one) => /^[a-z'’]+[:,]?$/i.test(one)) && !/,$/.test(word)
      ? [phrase.join(' ')]
      : [];
  });
}
