// @ts-check
/**
 * The largest size of each library in a bundle, in KB: minified, compressed, with dependencies, without peers. The limits
 * are about a tenth above the sizes.
 * @type {Readonly<Record<string, number>>}
 */
export const sizeLimits = {
  'api-versioning': 2.3,
  client: 24,
  'codemirror-datapath': 31,
  configuration: 5.5,
  datapath: 32,
  'destination-guard': 3.5,
  elements: 92,
  localisation: 12,
  logging: 27,
  'mail-merge': 3.8,
  message: 0.8,
  pagination: 5.9,
  'redis-connection': 3.4,
  'rich-text': 160,
  'search-query': 36,
  telemetry: 122,
  'webhook-signing': 2.6,
};

/**
 * The largest size of a bundle with one export, in KB: minified, compressed, with all that the export needs. A caller who
 * needs one small function must not pay for the rest of the library. `/links` is an entry point, which must run in
 * browsers.
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const exportLimits = {
  configuration: { findMisspelled: 1 },
  localisation: { directionOf: 0.2 },
  pagination: { '/links': 4 },
  'redis-connection': { parseRedisUrl: 1.7 },
  'rich-text': { textToHtml: 0.2 },
  telemetry: { startSpan: 4.1 },
};
