export { CursorCodec, type Cursor, type OpenedCursor } from './lib/cursor.js';
export { findOnly } from './lib/find-only.js';
export { DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from './lib/limits.js';
export { linkHeader, type LinkHeaderOptions, type PageRelation } from './lib/link-header.js';
export { parsePageParameters, type PageParameters } from './lib/page-parameters.js';
export { type ParameterFault, quote } from './lib/parameter-fault.js';
