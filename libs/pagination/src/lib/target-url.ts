/**
 * The parts of a request's URL. Links differ from it only in the paging parameters: everything else keeps its place and
 * its bytes, which `URL` and `URLSearchParams` would rewrite.
 */
export interface TargetUrl {
  /** The URL up to the `?`, or all of it. */
  readonly base: string;
  /** The texts between the `&`s, including empty ones. */
  readonly parts: readonly string[];
}

/** Characters that no URL may contain (RFC 3986), and a `%` that starts no escape. `[` and `]` are left as they are. */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+|%(?![0-9A-Fa-f]{2})/gu;

/** @param url absolute http(s) URL of the request. A fragment is dropped because it is never part of a request. */
export function parseTargetUrl(url: string): TargetUrl {
  const [withoutFragment = ''] = url.split('#', 1);
  const queryAt = withoutFragment.indexOf('?');
  if (queryAt === -1) return { base: withoutFragment, parts: [] };
  const query = withoutFragment.slice(queryAt + 1);
  return { base: withoutFragment.slice(0, queryAt), parts: query === '' ? [] : query.split('&') };
}

/** Sets a parameter at its first place or at the end, and removes it from all other places. Null only removes it. */
export function withParameter({ base, parts }: TargetUrl, name: string, value: string | number | null): TargetUrl {
  const first = value === null ? -1 : parts.findIndex((part) => nameOf(part) === name);
  const written = `${name}=${encodeURIComponent(String(value))}`;
  const kept = parts.flatMap((part, index) => {
    if (index === first) return [written];
    return nameOf(part) === name ? [] : [part];
  });
  return { base, parts: value === null || first !== -1 ? kept : [...kept, written] };
}

/** True when the URL has the parameter, even with an empty value. */
export function hasParameter({ parts }: TargetUrl, name: string): boolean {
  return parts.some((part) => nameOf(part) === name);
}

/** The URL for use between `<` and `>` of a header. Characters that no URL may contain are percent-encoded. */
export function toTargetText({ base, parts }: TargetUrl): string {
  const text = parts.length === 0 ? base : `${base}?${parts.join('&')}`;
  return text.replace(NOT_IN_A_URL, (characters) =>
    Array.from(
      new TextEncoder().encode(characters),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** Returns the decoded name of a parameter: `per%5Fpage=5` is `per_page` too. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name; // a name with an invalid escape equals no searched name
  }
}
