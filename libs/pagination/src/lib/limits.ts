/** Greatest page number that is accepted. Source: CONTRACT.md 11, Links. */
export const MAX_PAGE = 2 ** 31 - 1;

/** Items of a page when the client does not say. Source: SPEC.md 8. */
export const DEFAULT_PER_PAGE = 100;

/** Greatest page size that is accepted. Source: SPEC.md 8. */
export const MAX_PER_PAGE = 1000;

/** Longest cursor, in characters: far more than a few sort keys need, and no address becomes too long for what lies on its way. */
export const MAX_CURSOR_LENGTH = 2048;
