import { allNames, DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE, type PageOptions } from './limits.js';
import { formatLinks, type Link } from './links.js';
import { hasParameter, parseTargetUrl, type TargetUrl, toTargetText, withParameter } from './target-url.js';

/** Options of `linkHeader`. */
export interface LinkHeaderOptions extends PageOptions {
  /** Absolute URL of the request, including its query, as the client sent it. */
  readonly url: string;
  /** The number of the page of this answer. */
  readonly page: number;
  /** The number of items on a page. */
  readonly perPage: number;
  /** Number of items in the whole collection. It must be undefined unless it is exact. */
  readonly total?: number | undefined;
  /**
   * True when a further page exists. When it is undefined, `total` decides. Without `total`, no further page exists.
   */
  readonly hasNext?: boolean | undefined;
  /** Sealed cursor for the `after` parameter of the `next` link. */
  readonly after?: string | undefined;
  /** Links with other relations. They follow the links to pages. */
  readonly further?: readonly Link[];
}

/** The relations of a `Link` header of this service. Source: docs/reference/paging.md. */
type PageRelation = 'first' | 'prev' | 'next' | 'last';

/**
 * Writes the `Link` header of one page of a collection (RFC 8288).
 *
 * `first` is always present. `last` is present when `total` is known, and `prev` and `next` when there is such a page.
 * An empty collection has one page. Past the end, `prev` is the last page.
 *
 * The parameter `page` keeps its place in the query. `per_page` is added only when the query lacks it and it is not the
 * default. The cursor of the request (`after`) is dropped. All other parameters keep their order and their bytes,
 * except that characters which no URL may contain are percent-encoded.
 * @throws {RangeError} when `url` is not absolute, a number is one that `parsePageParameters` never returns, or a
 *   further link would break the header
 * Source: docs/reference/paging.md.
 */
export function linkHeader(options: LinkHeaderOptions): string {
  assertOptions(options);
  const { url, after, further = [] } = options;
  const names = allNames(options.names);
  const base = withPageSize(withParameter(parseTargetUrl(url), names.after, null), options);
  const links = Object.entries(findPages(options)).map(([relation, number]) => {
    const numbered = withParameter(base, names.page, number);
    const carriesCursor = relation === 'next' && after !== undefined;
    return { relation, target: toTargetText(carriesCursor ? withParameter(numbered, names.after, after) : numbered) };
  });
  return formatLinks([...links, ...further]);
}

/** Maps each present relation to its page number, in the order of the header. */
function findPages({ page, perPage, total, hasNext }: LinkHeaderOptions): Partial<Record<PageRelation, number>> {
  const counted = total === undefined ? null : Math.min(Math.max(1, Math.ceil(total / perPage)), MAX_PAGE);
  const isNextPresent = page < MAX_PAGE && (hasNext ?? (counted !== null && page < counted));
  // The count may be older than the page. If a next page exists, `last` is at least that page.
  const last = counted === null ? null : Math.max(counted, isNextPresent ? page + 1 : 1);
  return {
    first: 1,
    ...(page > 1 && { prev: Math.min(page - 1, last ?? MAX_PAGE) }),
    ...(isNextPresent && { next: page + 1 }),
    ...(last !== null && { last }),
  };
}

function withPageSize(target: TargetUrl, options: LinkHeaderOptions): TargetUrl {
  const { perPage, defaultPerPage = DEFAULT_PER_PAGE } = options;
  const name = allNames(options.names).perPage;
  const isKnown = hasParameter(target, name) || perPage === defaultPerPage;
  return isKnown ? target : withParameter(target, name, perPage);
}

function assertOptions({ url, page, perPage, total, maxPerPage = MAX_PER_PAGE }: LinkHeaderOptions): void {
  if (!/^https?:\/\/[^/?#]/i.test(url)) throw new RangeError('url: expected an absolute http or https URL');
  assertInteger('page', page, { min: 1, max: MAX_PAGE });
  assertInteger('perPage', perPage, { min: 1, max: maxPerPage });
  if (total !== undefined) assertInteger('total', total, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

function assertInteger(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name}: expected an integer from ${min} to ${max}, found ${value}`);
}
