export { type Cursor, CursorCodec, type CursorOptions, type OpenedCursor } from './lib/cursor.js';
export { findOnly } from './lib/find-only.js';
export {
  DEFAULT_PER_PAGE,
  MAX_CURSOR_LENGTH,
  MAX_PAGE,
  MAX_PER_PAGE,
  type PageOptions,
  type PageSizes,
  type ParameterNames,
} from './lib/limits.js';
export { linkHeader, type LinkHeaderOptions } from './lib/link-header.js';
export { formatLinks, type Link, LinkHeaderError, parseLinkHeader } from './lib/links.js';
export { type PageParameters, parsePageParameters } from './lib/page-parameters.js';
export { type ParameterViolation, quote } from './lib/parameter-violation.js';
