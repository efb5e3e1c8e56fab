import { createHash } from 'node:crypto';
import { DatapathError, type Expression, parseExpression } from '@ats/datapath';
import { parseSearch } from '@ats/search-query';
import { DATAPATH_SYNTAX } from '../vocabulary/form-data.js';
import { type TextContent } from '../vocabulary/attribute-options.js';
import { type PersonValues, type TextSpan } from './person-values.js';

/** The text that replaces a value of a person in prose. No name, address or number contains it. */
export const MENTION_REPLACEMENT = '[anonymised]';

/**
 * The content of a stored text. `html` is a rich text. Its placeholders are kept, like the placeholders of a
 * `template`.
 */
export type StoredContent = TextContent | 'html' | 'prose';

/**
 * The mentions in a value, by the path of the text within the value. The path is empty when the value itself is a text.
 */
export type Mentions = Readonly<Record<string, readonly TextSpan[]>>;

const REPLACEMENTS: Partial<Readonly<Record<StoredContent, string>>> = {
  // In an expression, a mention is a string literal, and so is its replacement. No value of a person equals or contains
  // the replacement, so the comparison matches nobody by accident.
  expression: JSON.stringify(MENTION_REPLACEMENT),
  // This replacement has no brackets, because brackets, braces and commas have a meaning in a condition.
  condition: 'anonymised',
};

/** Finds the mentions of a person in a value. The value is a text, or has texts in lists and objects. */
export function mentionsIn(value: unknown, content: StoredContent, person: PersonValues): Mentions {
  const found: Record<string, readonly TextSpan[]> = {};
  mapTexts(value, (text, path) => {
    const spans = SPANS[content](text, person);
    if (spans.length > 0) found[path] = spans;
    return text;
  });
  return found;
}

/** Replaces the mentions in a value. A mention whose path is not a text of the value is ignored. */
export function withoutMentions(value: unknown, content: StoredContent, mentions: Mentions): unknown {
  const replacement = REPLACEMENTS[content] ?? MENTION_REPLACEMENT;
  return mapTexts(value, (text, path) => {
    const spans = (Object.hasOwn(mentions, path) ? mentions[path] : undefined) ?? [];
    return [...spans]
      .sort(([a], [b]) => b - a)
      .reduce((left, [offset, length]) => left.slice(0, offset) + replacement + left.slice(offset + length), text);
  });
}

/**
 * Returns a digest that identifies a value. The digest of a value without its mentions reveals nothing about the
 * person.
 */
export const digestOf = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();

type FindSpans = (text: string, person: PersonValues) => readonly TextSpan[];

const prose: FindSpans = (text, person) => person.spans(text);
const template: FindSpans = (text, person) => outside(person.spans(text), text, /\{\{.*?\}\}/gsu);

const SPANS: Readonly<Record<StoredContent, FindSpans>> = {
  prose,
  template,
  // Names of tags and attributes are kept. The values of attributes, such as links, are searched.
  html: (text, person) => outside(template(text, person), text, /<\/?[a-z][a-z0-9]*|\s[a-z-]+="|"?\s*\/?>/giu),
  fact: (text, person) => person.spans(text, 'fact'),
  key: prose,
  code: () => [],
  condition(text, person) {
    const parsed = parseSearch(text);
    if ('violations' in parsed) return person.spans(text);
    return parsed.values
      .filter((value) => person.spans(value.text).length > 0)
      .map(({ offset, length }) => [offset, length]);
  },
  expression(text, person) {
    const literals = textLiteralsIn(text);
    if (!literals) return person.spans(text);
    return literals.filter(({ value }) => person.spans(value).length > 0).map(({ offset, length }) => [offset, length]);
  },
};

/** Returns the spans that overlap no match of the pattern. */
function outside(spans: readonly TextSpan[], text: string, pattern: RegExp): readonly TextSpan[] {
  const kept = [...text.matchAll(pattern)].map((found) => [found.index, found.index + found[0].length] as const);
  return spans.filter(([offset, length]) => kept.every(([from, to]) => offset + length <= from || offset >= to));
}

function parsedExpression(text: string): Expression | undefined {
  try {
    return parseExpression(text, DATAPATH_SYNTAX);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}

/** Returns the text literals of an expression, in their order. Undefined when the text is not an expression. */
export function textLiteralsIn(text: string): readonly Literal<string>[] | undefined {
  const parsed = parsedExpression(text);
  return (
    parsed &&
    literalsIn(parsed.condition)
      .filter((literal): literal is Literal<string> => typeof literal.value === 'string')
      .sort((a, b) => a.offset - b.offset)
  );
}

interface Literal<Value = unknown> {
  readonly kind: 'literal';
  readonly value: Value;
  readonly offset: number;
  readonly length: number;
}

/** Returns all literals below a node of a syntax tree. */
function literalsIn(node: unknown): readonly Literal[] {
  if (typeof node !== 'object' || node === null) return [];
  if ((node as { readonly kind?: unknown }).kind === 'literal') return [node as Literal];
  return Object.values(node).flatMap(literalsIn);
}

/** Applies a function to every text in a value. The names of members do not change. */
function mapTexts(value: unknown, map: (text: string, path: string) => string, path = ''): unknown {
  if (typeof value === 'string') return map(value, path);
  if (Array.isArray(value)) return value.map((entry, index) => mapTexts(entry, map, `${path}/${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, mapTexts(entry, map, `${path}/${name}`)]),
  );
}
