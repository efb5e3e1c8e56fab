import { DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from './limits.js';
import { hasParameter, parseTargetUrl, type TargetUrl, toTargetText, withParameter } from './target-url.js';

export interface LinkHeaderOptions {
  /** Absolute URL of the request, query included, as the client sent it. */
  readonly url: string;
  readonly page: number;
  readonly perPage: number;
  /** Number of items in the whole collection; left out when it is not known exactly. */
  readonly total?: number | undefined;
  /** Whether a page follows, for who has seen it; unless told, `total` says so. */
  readonly hasNext?: boolean | undefined;
  /** Opaque cursor that `next` carries as `after` beside `page`. */
  readonly after?: string | undefined;
}

/** The relations of a `Link` header of this service. Source: SPEC.md 4.3. */
export type PageRelation = 'first' | 'prev' | 'next' | 'last';

/**
 * Writes the `Link` header of one page of a collection (RFC 8288).
 *
 * `first` is always there and `last` whenever `total` is known, an empty collection having one page; `prev` and `next`
 * where there is such a page. Past the end, `prev` is the last page. `page` is set in its place in the query; `per_page`
 * is added only when the query lacks it and it is not the default; a cursor of the request (`after`) is not carried on.
 * All other parameters keep their order and their bytes, but for characters that no URL may hold, which are encoded.
 * @throws {RangeError} when `url` is not absolute, or a number is not one that `parsePageParameters` could have returned
 * Source: SPEC.md 4.3; CONTRACT.md 4 and 11, Links.
 */
export function linkHeader(options: LinkHeaderOptions): string {
  assertOptions(options);
  const { url, perPage, after } = options;
  const target = withPageSize(withParameter(parseTargetUrl(url), 'after', null), perPage);
  const links = Object.entries(findPages(options)).map(([relation, number]) => {
    const numbered = withParameter(target, 'page', number);
    const carriesCursor = relation === 'next' && after !== undefined;
    return `<${toTargetText(carriesCursor ? withParameter(numbered, 'after', after) : numbered)}>; rel="${relation}"`;
  });
  return links.join(', ');
}

/** The page number of each relation that there is, in the order they are written. */
function findPages({ page, perPage, total, hasNext }: LinkHeaderOptions): Partial<Record<PageRelation, number>> {
  const counted = total === undefined ? null : Math.min(Math.max(1, Math.ceil(total / perPage)), MAX_PAGE);
  const isNextThere = page < MAX_PAGE && (hasNext ?? (counted !== null && page < counted));
  // What was counted may be a moment older than what was seen.
  const last = counted === null ? null : Math.max(counted, isNextThere ? page + 1 : 1);
  return {
    first: 1,
    ...(page > 1 && { prev: Math.min(page - 1, last ?? MAX_PAGE) }),
    ...(isNextThere && { next: page + 1 }),
    ...(last !== null && { last }),
  };
}

function withPageSize(target: TargetUrl, perPage: number): TargetUrl {
  const isSaid = hasParameter(target, 'per_page') || perPage === DEFAULT_PER_PAGE;
  return isSaid ? target : withParameter(target, 'per_page', perPage);
}

function assertOptions({ url, page, perPage, total }: LinkHeaderOptions): void {
  if (!/^https?:\/\/[^/?#]/i.test(url)) throw new RangeError('url: expected an absolute http or https URL');
  assertInteger('page', page, { min: 1, max: MAX_PAGE });
  assertInteger('perPage', perPage, { min: 1, max: MAX_PER_PAGE });
  if (total !== undefined) assertInteger('total', total, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

function assertInteger(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name}: expected an integer from ${min} to ${max}, found ${value}`);
}
