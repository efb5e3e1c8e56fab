/** Largest accepted page number. Source: docs/reference/paging.md. */
export const MAX_PAGE = 2 ** 31 - 1;

/** Number of items on a page when the request has no `per_page`. Source: docs/reference/paging.md. */
export const DEFAULT_PER_PAGE = 100;

/** Largest accepted page size. Source: docs/reference/paging.md. */
export const MAX_PER_PAGE = 1000;

/** The page sizes of a collection. */
export interface PageSizes {
  /** Number of items on a page when the request has no `per_page`. Defaults to 100. */
  readonly defaultPerPage?: number;
  /** Largest accepted page size. Defaults to 1000. */
  readonly maxPerPage?: number;
}

/** The names of the query parameters of pages, for hosts whose API uses other names. */
export interface ParameterNames {
  /** The name of the parameter with the number of the page. Defaults to `page`. */
  readonly page?: string;
  /** The name of the parameter with the number of items on a page. Defaults to `per_page`. */
  readonly perPage?: string;
  /** The name of the parameter with the cursor. Defaults to `after`. */
  readonly after?: string;
}

/** Returns the names of all page parameters. A name that the host does not set gets its default. */
export const allNames = ({ page = 'page', perPage = 'per_page', after = 'after' }: ParameterNames = {}) =>
  ({ page, perPage, after }) as const;

/** Options of `parsePageParameters`. */
export interface PageOptions extends PageSizes {
  /** The names of the parameters when they differ from the defaults. */
  readonly names?: ParameterNames;
}

/**
 * Maximum length of a cursor in characters. It is enough for usual sort keys, and below the limits of proxies for URLs.
 */
export const MAX_CURSOR_LENGTH = 2048;
