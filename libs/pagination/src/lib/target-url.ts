/**
 * The parts of a request's URL. Links change only its paging parameters. Everything else keeps its place and its bytes,
 * which `URL` and `URLSearchParams` would change.
 */
export interface TargetUrl {
  /** The URL up to the `?`, or the whole URL when it has none. */
  readonly base: string;
  /** The texts between the `&` characters, including empty ones. */
  readonly parts: readonly string[];
}

/**
 * Matches characters that no URL may contain (RFC 3986), and a `%` that begins no escape. It does not match `[` and
 * `]`, which are left as they are.
 */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+|%(?![0-9A-Fa-f]{2})/gu;

/**
 * Splits a URL into its parts.
 * @param url  absolute http(s) URL of the request. A fragment is dropped, because it is never part of a request.
 */
export function parseTargetUrl(url: string): TargetUrl {
  const [withoutFragment = ''] = url.split('#', 1);
  const queryAt = withoutFragment.indexOf('?');
  if (queryAt === -1) return { base: withoutFragment, parts: [] };
  const query = withoutFragment.slice(queryAt + 1);
  return { base: withoutFragment.slice(0, queryAt), parts: query === '' ? [] : query.split('&') };
}

/** Sets a parameter at its first place, or else at the end. Removes it from all other places. Null only removes it. */
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

/**
 * Returns the URL in the form that stands between `<` and `>` of a header. Characters that no URL may contain are
 * percent-encoded.
 */
export function toTargetText({ base, parts }: TargetUrl): string {
  const text = parts.length === 0 ? base : `${base}?${parts.join('&')}`;
  return text.replace(NOT_IN_A_URL, (characters) =>
    Array.from(
      new TextEncoder().encode(characters),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** Returns the decoded name of a parameter: `per%5Fpage=5` has the name `per_page`. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name; // A name with an invalid escape equals no searched name.
  }
}
