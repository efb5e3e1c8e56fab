export { type PageOptions, type PageSizes, type ParameterNames } from './lib/limits.js';
export { linkHeader, type LinkHeaderOptions } from './lib/link-header.js';
export { formatLinks, type Link, LinkHeaderError, parseLinkHeader } from './lib/links.js';
