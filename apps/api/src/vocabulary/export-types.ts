export const JSON_TYPE = 'application/json';

/** Maps each value of the parameter `format` to the media type of the export. */
export const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;
