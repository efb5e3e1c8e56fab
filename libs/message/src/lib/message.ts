/** A value of a message: a text, a number, another message, or a list of these, which is joined by commas. */
export type MessageValue = string | number | Message | readonly MessageValue[];

/** Marks messages of every installed copy of this package. Types do not name it, so that the types of copies agree. */
const BRAND = Symbol.for('@ats/message');
/** Node prints an object by the method of this name. Browsers ignore it. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A text for people in several languages: an English pattern and its values. `String(message)`, `console.log(message)`
 * and its JSON are the English text. `instanceof Message` holds for messages of another copy of this package too.
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

  /** True for messages of all copies of this library. */
  static [Symbol.hasInstance](value: unknown): value is Message {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(
    /**
     * The English text in the message format of ICU, with `{0}`, `{1}` … for the values. It is also the key of the
     * translations. The tag `message` creates it; never write it by hand.
     */
    readonly pattern: string,
    /** The values for the places of the pattern. */ readonly values: readonly MessageValue[],
  ) {}

  /** The English text. */
  toString(): string {
    return english(this);
  }

  /** The English text. */
  toJSON(): string {
    return english(this);
  }
}

const PATTERNS = new WeakMap<TemplateStringsArray, string>();

/**
 * The template tag of every text for people: `` message`expected at most ${max} items` ``. The English around the
 * values is fixed. Everything that comes from a client or differs between calls is a value.
 */
export function message(texts: TemplateStringsArray, ...values: readonly MessageValue[]): Message {
  const pattern = PATTERNS.get(texts) ?? patternOf(texts);
  PATTERNS.set(texts, pattern);
  return new Message(pattern, values);
}

/** A text that is the same in every language: a name, a number, a client's text. */
export const verbatim = (text: string): Message => new Message('{0}', [text]);

/** The pattern of a template: the key that the tag makes. */
export const patternOf = (texts: readonly string[]): string =>
  texts.map((text, index) => `${index === 0 ? '' : `{${String(index - 1)}}`}${quoted(text)}`).join('');

/** Escapes a text for ICU: doubles apostrophes, and puts braces with adjacent apostrophes between two apostrophes. */
const quoted = (text: string): string =>
  text.replace(/['{}]+/g, (run) => {
    const doubled = run.replaceAll(`'`, `''`);
    return /[{}]/.test(run) ? `'${doubled}'` : doubled;
  });

/** Inserts the values and removes the quoting. */
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
