/** A value of a message: a text, a number, another message, or a list of such values, which is joined by commas. */
export type MessageValue = string | number | Message | readonly MessageValue[];

/**
 * Marks the messages of every installed copy of this package. It is not part of the types, so that the types of
 * different copies are compatible.
 */
const BRAND = Symbol.for('@ats/message');
/** Node prints an object by calling its method with this name. Browsers ignore the method. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A text for people in several languages: an English pattern and its values. `String(message)`, `console.log(message)`
 * and its JSON give the English text. `instanceof Message` is also true for messages of another copy of this package.
 */
export class Message {
  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
    Object.defineProperty(this.prototype, INSPECT, {
      value(this: Message) {
        return english(this);
      },
    });
  }

  /** True for messages of all installed copies of this library. */
  static [Symbol.hasInstance](value: unknown): value is Message {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(
    /**
     * The English text in the message format of ICU. `{0}`, `{1}` … stand for the values. The text is also the key of
     * the translations. Use the tag `message` to make it; never write it by hand.
     */
    readonly pattern: string,
    /** The values that replace `{0}`, `{1}` … in the pattern. */ readonly values: readonly MessageValue[],
  ) {}

  /** Returns the English text. */
  toString(): string {
    return english(this);
  }

  /** Returns the English text. */
  toJSON(): string {
    return english(this);
  }
}

const PATTERNS = new WeakMap<TemplateStringsArray, string>();

/**
 * Makes a message from a template: `` message`expected at most ${max} items` ``. The English text around the values is
 * fixed. Everything that comes from a client or differs between calls must be a value.
 */
export function message(texts: TemplateStringsArray, ...values: readonly MessageValue[]): Message {
  const pattern = PATTERNS.get(texts) ?? patternOf(texts);
  PATTERNS.set(texts, pattern);
  return new Message(pattern, values);
}

/** Makes a message that is the same in every language, such as a name, a number or a client's text. */
export const verbatim = (text: string): Message => new Message('{0}', [text]);

/** Returns the pattern of a template. It is the key that the tag makes. */
export const patternOf = (texts: readonly string[]): string =>
  texts.map((text, index) => `${index === 0 ? '' : `{${String(index - 1)}}`}${quoted(text)}`).join('');

/** Escapes a text for ICU: doubles apostrophes, and quotes braces with apostrophes. */
const quoted = (text: string): string =>
  text.replace(/['{}]+/g, (run) => {
    const doubled = run.replaceAll(`'`, `''`);
    return /[{}]/.test(run) ? `'${doubled}'` : doubled;
  });

/** Inserts the values and removes the escapes. */
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
