export { DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from './lib/limits.js';
export { linkHeader, type LinkHeaderOptions, type PageRelation } from './lib/link-header.js';
export { parsePageParameters, type PageParameters, type ParameterFault } from './lib/page-parameters.js';
export { LinkHeaderSyntaxError, parseLinkHeader } from './lib/parse-link-header.js';
