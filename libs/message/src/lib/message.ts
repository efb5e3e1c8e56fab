/** What a message says of the case at hand: texts and numbers as they are, other messages, and lists of them, separated by commas. */
export type MessageValue = string | number | Message | readonly MessageValue[];

/**
 * A text for people that can be read in several languages: an English text, and what it says of the case at hand.
 * `String(message)` and its JSON are the English.
 */
export class Message {
  constructor(
    /**
     * The English text in the message format of ICU, `{0}`, `{1}` … standing for the values; also the key of its translations. Made by
     * the tag `message`, never by hand.
     */
    readonly pattern: string,
    readonly values: readonly MessageValue[],
  ) {}

  toString(): string {
    return english(this);
  }

  toJSON(): string {
    return english(this);
  }
}

const PATTERNS = new WeakMap<TemplateStringsArray, string>();

/**
 * The tag of every text that is shown to people: `` message`expected at most ${max} items` ``. Texts around the values are English and
 * fixed; what comes from a client, or changes from call to call, is a value.
 */
export function message(texts: TemplateStringsArray, ...values: readonly MessageValue[]): Message {
  const pattern = PATTERNS.get(texts) ?? patternOf(texts);
  PATTERNS.set(texts, pattern);
  return new Message(pattern, values);
}

/** A text that reads the same in every language: a name, a number, what a client has sent. */
export const verbatim = (text: string): Message => new Message('{0}', [text]);

/** The key of a text with places for values: what the tag makes of it. */
export const patternOf = (texts: readonly string[]): string =>
  texts.map((text, index) => `${index === 0 ? '' : `{${String(index - 1)}}`}${quoted(text)}`).join('');

/** As ICU wants it: apostrophes are doubled, and braces stand between two, with what apostrophes touch them. */
const quoted = (text: string): string =>
  text.replace(/['{}]+/g, (run) => {
    const doubled = run.replaceAll(`'`, `''`);
    return /[{}]/.test(run) ? `'${doubled}'` : doubled;
  });

/** Puts the values in, and undoes the quoting. */
const english = ({ pattern, values }: Message): string =>
  pattern.replace(
    /''|'([{}](?:[^']|'')*)'|\{(\d+)\}/g,
    (found, quotation: string | undefined, index: string | undefined) => {
      if (quotation !== undefined) return quotation.replaceAll(`''`, `'`);
      return index === undefined ? `'` : englishValue(values[Number(index)] ?? found);
    },
  );

const englishValue = (value: MessageValue): string =>
  typeof value === 'object' && !(value instanceof Message) ? value.map(englishValue).join(', ') : String(value);
