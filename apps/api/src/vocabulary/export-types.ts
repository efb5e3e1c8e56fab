export const JSON_TYPE = 'application/json';

/** The media types of exports, by the value of the parameter `format`. */
export const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;
