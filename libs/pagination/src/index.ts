export { type Cursor, CursorCodec, type OpenedCursor } from './lib/cursor.js';
export { findOnly } from './lib/find-only.js';
export { DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE, type PageSizes } from './lib/limits.js';
export { linkHeader, type LinkHeaderOptions } from './lib/link-header.js';
export { type PageParameters, parsePageParameters } from './lib/page-parameters.js';
export { type ParameterViolation, quote } from './lib/parameter-violation.js';
