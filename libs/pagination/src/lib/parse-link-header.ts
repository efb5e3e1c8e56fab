/**
 * A `Link` header that is none.
 * Source: RFC 8288, section 3.
 */
export class LinkHeaderSyntaxError extends Error {
  readonly code = 'link_header_syntax';

  /** @param position index of the first character that was not expected */
  constructor(
    expected: string,
    readonly position: number,
  ) {
    super(`expected ${expected} at ${position}`);
    this.name = 'LinkHeaderSyntaxError';
  }
}

const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y;
const TARGET = /<([^<>]*)>/y;
const PARAMETER =
  /[ \t]*;[ \t]*([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?/y;
/** `;` with nothing behind it, which the grammar allows. */
const EMPTY_PARAMETERS = /(?:[ \t]*;(?=[ \t]*(?:[;,]|$)))*/y;
const END = /[ \t]*(?=,|$)/y;

/**
 * Reads a `Link` header, for clients and tests.
 * @param header value of the header; an empty text has no links
 * @returns the target of each relation, relations in lower case, in the order of the header; of two links of one
 *   relation the first counts, and links without a relation are passed over
 * @throws {LinkHeaderSyntaxError} when it is no `Link` header
 * Source: RFC 8288, section 3.
 */
export function parseLinkHeader(header: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  let position = skip(header, 0, SEPARATORS);
  while (position < header.length) {
    const link = parseLink(header, position);
    for (const relation of link.relations) {
      if (!targets.has(relation)) targets.set(relation, link.target);
    }
    position = skip(header, link.end, SEPARATORS);
  }
  return targets;
}

interface Link {
  readonly target: string;
  readonly relations: readonly string[];
  readonly end: number;
}

/** link-value = "<" URI-Reference ">" *( OWS ";" OWS link-param ) */
function parseLink(header: string, start: number): Link {
  const target = matchAt(header, start, TARGET);
  if (target === null) throw new LinkHeaderSyntaxError('"<", an address and ">"', start);
  let end = start + target[0].length;
  let relation: string | null = null;
  for (;;) {
    end = skip(header, end, EMPTY_PARAMETERS);
    const parameter = matchAt(header, end, PARAMETER);
    if (parameter === null) break;
    const [all, name, token, quoted] = parameter;
    // A second `rel` is to be ignored (RFC 8288, section 3.3).
    if (name?.toLowerCase() === 'rel') relation ??= token ?? quoted?.replace(/\\(.)/g, '$1') ?? '';
    end += all.length;
  }
  if (matchAt(header, end, END) === null) throw new LinkHeaderSyntaxError('";", "," or the end', end);
  const relations = (relation ?? '')
    .toLowerCase()
    .split(/[ \t]+/)
    .filter((name) => name !== '');
  return { target: target[1] ?? '', relations, end: skip(header, end, END) };
}

function matchAt(text: string, position: number, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** The position behind `pattern`, or the same position where it does not match. */
function skip(text: string, position: number, pattern: RegExp): number {
  return position + (matchAt(text, position, pattern)?.[0].length ?? 0);
}
