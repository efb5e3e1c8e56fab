import LinkHeader from 'http-link-header';

/** One link of a `Link` header (RFC 8288). */
export interface Link {
  /** The address. In a header it may be relative to the address of the answer. */
  readonly target: string;
  /** The relation of the target, such as `next`, in lower case. A link with several relations gives several objects. */
  readonly relation: string;
  /** The address that the link starts from. Absent when the link starts from the answer. */
  readonly anchor?: string;
  /** A title of the target for people. */
  readonly title?: string;
  /** The languages of the target, such as `de`. */
  readonly hreflang?: readonly string[];
  /** The media type of the target. */
  readonly type?: string;
  /** The media for which the target is meant, such as `print`. */
  readonly media?: string;
  /** All other attributes by name, each with its values in the order of the header. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
}

/** Thrown when a text is not a `Link` header. */
export class LinkHeaderError extends Error {
  /** The name of the class. */
  override readonly name = 'LinkHeaderError';
}

type Attribute = string | { readonly value: string } | readonly (string | { readonly value: string })[];

/**
 * Reads a `Link` header: all links with all attributes, in order. A title in `title*` (RFC 8187) takes precedence over
 * `title`.
 * @param header  undefined or null for an answer without the header
 * @param base the address of the answer. When it is given, targets and anchors become absolute.
 * @throws {LinkHeaderError} when the text is not a `Link` header, or when `base` is not a URL
 */
export function parseLinkHeader(header: string | null | undefined, base?: string): readonly Link[] {
  if (!header?.trim()) return [];
  const absolute = (address: string) => (base === undefined ? address : new URL(address, base).href);
  try {
    return LinkHeader.parse(header)
      .refs.filter(({ rel }) => rel)
      .map((reference) => toLink(reference as unknown as Record<string, Attribute>, absolute));
  } catch (error) {
    throw new LinkHeaderError(`the text is not a valid Link header: ${(error as Error).message}`, { cause: error });
  }
}

function toLink(reference: Readonly<Record<string, Attribute>>, absolute: (address: string) => string): Link {
  const { uri = '', rel = '', anchor, title, 'title*': encoded, hreflang, type, media, ...others } = reference;
  return {
    target: absolute(first(uri)),
    relation: first(rel).toLowerCase(),
    ...(anchor !== undefined && { anchor: absolute(first(anchor)) }),
    ...((encoded ?? title) !== undefined && { title: first(encoded ?? title ?? '') }),
    ...(hreflang !== undefined && { hreflang: texts(hreflang) }),
    ...(type !== undefined && { type: first(type) }),
    ...(media !== undefined && { media: first(media) }),
    ...(Object.keys(others).length > 0 && {
      others: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, texts(value)])),
    }),
  };
}

const texts = (attribute: Attribute): readonly string[] =>
  [attribute].flat().map((value) => (typeof value === 'object' && 'value' in value ? value.value : String(value)));
const first = (attribute: Attribute): string => texts(attribute)[0] ?? '';

/**
 * Writes a `Link` header. Titles with characters outside ASCII are written as `title*` (RFC 8187).
 * @param links  their addresses must be URLs in which all characters that no URL may contain are percent-encoded
 * @throws {RangeError} for an address with a character that would end it, or for a line break
 */
export function formatLinks(links: readonly Link[]): string {
  return links.map((link) => [`<${address(link.target)}>`, ...attributes(link)].join('; ')).join(', ');
}

function attributes({ relation, anchor, title, hreflang = [], type, media, others = {} }: Link): string[] {
  return [
    quoted('rel', relation),
    ...(anchor === undefined ? [] : [quoted('anchor', address(anchor))]),
    ...(title === undefined ? [] : [titleOf(title)]),
    ...hreflang.map((language) => quoted('hreflang', language)),
    ...(type === undefined ? [] : [quoted('type', type)]),
    ...(media === undefined ? [] : [quoted('media', media)]),
    ...Object.entries(others).flatMap(([name, values]) => values.map((value) => quoted(name, value))),
  ];
}

function address(text: string): string {
  if (/^[\x21\x23-\x3b\x3d\x3f-\x7e]*$/.test(text)) return text;
  throw new RangeError('expected a URL without spaces, quotes, < and >, and with other characters percent-encoded');
}

function quoted(name: string, value: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
    throw new RangeError(`expected the attribute ${JSON.stringify(name)} to have printable ASCII characters only`);
  return `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

const titleOf = (title: string): string =>
  /^[\x20-\x7e]*$/.test(title)
    ? quoted('title', title)
    : `title*=UTF-8''${encodeURIComponent(title).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
