/**
 * The request's URL taken apart, so that links can differ from it in the paging parameters alone. Everything else keeps
 * its place and its bytes; `URL` and `URLSearchParams` would write them anew.
 */
export interface TargetUrl {
  /** Up to the `?`, or all of it. */
  readonly base: string;
  /** What stands between the `&`s, empty texts included. */
  readonly parts: readonly string[];
}

/** The characters that no URL may hold (RFC 3986) and a `%` that starts no escape; `[` and `]` are left as they came. */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+|%(?![0-9A-Fa-f]{2})/gu;

/** @param url absolute http(s) URL of the request; a fragment is dropped, it is never part of a request */
export function parseTargetUrl(url: string): TargetUrl {
  const [withoutFragment = ''] = url.split('#', 1);
  const queryAt = withoutFragment.indexOf('?');
  if (queryAt === -1) return { base: withoutFragment, parts: [] };
  const query = withoutFragment.slice(queryAt + 1);
  return { base: withoutFragment.slice(0, queryAt), parts: query === '' ? [] : query.split('&') };
}

/** Sets a parameter in its first place, or at the end, and drops it from all other places; null drops it altogether. */
export function withParameter({ base, parts }: TargetUrl, name: string, value: string | number | null): TargetUrl {
  const first = value === null ? -1 : parts.findIndex((part) => nameOf(part) === name);
  const written = `${name}=${encodeURIComponent(String(value))}`;
  const kept = parts.flatMap((part, index) => {
    if (index === first) return [written];
    return nameOf(part) === name ? [] : [part];
  });
  return { base, parts: value === null || first !== -1 ? kept : [...kept, written] };
}

/** True when the URL gives the parameter, were it with an empty value. */
export function hasParameter({ parts }: TargetUrl, name: string): boolean {
  return parts.some((part) => nameOf(part) === name);
}

/** The URL as it may stand between `<` and `>` of a header: what no URL may hold is percent-encoded, the rest untouched. */
export function toTargetText({ base, parts }: TargetUrl): string {
  const text = parts.length === 0 ? base : `${base}?${parts.join('&')}`;
  return text.replace(NOT_IN_A_URL, (characters) =>
    Array.from(
      new TextEncoder().encode(characters),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** The name that a server reads: `per%5Fpage=5` is `per_page` too. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name; // a broken escape is none of the names that are looked for
  }
}
