import { type Language, LANGUAGES } from '@ats/domain';
import { type ProblemBody } from './answer.js';

/** The languages other than English, into which all texts are translated. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

export const speaking = (language: Language): { readonly 'accept-language': string } => ({
  'accept-language': language,
});

/** Returns the texts for people in an error body. */
export const textsOf = ({ message, errors = [] }: ProblemBody): readonly string[] => [
  message,
  ...errors.flatMap(({ info }) => info ?? []),
];

/** Returns the violations of an error body without the texts for people. */
export const codesOf = ({ errors = [] }: ProblemBody): readonly unknown[] =>
  errors.map(({ info, ...violation }) => ({ ...violation, isExplained: info !== undefined }));

/** Returns the texts of a translated error body that are still English, as a whole or in part. */
export function englishIn(english: ProblemBody, translated: ProblemBody): readonly string[] {
  const texts = new Set(textsOf(english));
  const phrases = new Set([...texts].flatMap(phrasesOf));
  return textsOf(translated).filter((text) => texts.has(text) || phrasesOf(text).some((phrase) => phrases.has(phrase)));
}

/** Returns every sequence of three words in a text. Leaves out quoted texts, because they come from the client. */
function phrasesOf(text: string): string[] {
  const words = text.replaceAll(/"[^"]*"?/g, '"').split(' ');
  return words.flatMap((word, index) => {
    const phrase = words.slice(index, index + 3);
    return phrase.length === 3 && phrase.every((one) => /^[a-z'’]+[:,]?$/i.test(one)) && !/,$/.test(word)
      ? [phrase.join(' ')]
      : [];
  });
}
