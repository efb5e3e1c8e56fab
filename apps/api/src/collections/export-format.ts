import { message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { type FastifyRequest } from 'fastify';
import { preferredType } from '../request/accept.js';
import { invalidQuery } from '../request/query.js';
import { EXPORT_TYPES, type ExportFormat, JSON_TYPE } from '../vocabulary/export-types.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { sentParameters } from './given-parameters.js';

const FORMATS = ['json', ...Object.keys(EXPORT_TYPES)];

/** The parameter that chooses between a page and an export. Source: docs/reference/export.md. */
export const FORMAT_PARAMETER: QueryParameter = {
  name: 'format',
  description:
    '`ndjson` and `csv` give all items in one streamed answer, in place of a page: one item a line as JSON, or a table. ' +
    'Defaults to the media type that `Accept` prefers. An export has the order of `id` unless there is a `sort`.',
  schema: { type: 'string', enum: FORMATS },
  isPaging: true,
};

const isFormat = (text: string): text is ExportFormat | 'json' => FORMATS.includes(text);

/**
 * Returns the format of an answer. The parameter decides; without it, `Accept` does.
 * @param resource  name of the resource, for the violation
 * @throws {Problem} 400 when the parameter is invalid
 */
export function formatOf(resource: string, request: FastifyRequest): ExportFormat | 'json' {
  const text = findOnly(sentParameters(resource, request).parameters, FORMAT_PARAMETER.name);
  if (typeof text === 'string' && isFormat(text)) return text;
  if (text !== undefined) {
    const info = typeof text === 'object' ? text.message : message`expected one of ${FORMATS}, found ${quote(text)}`;
    throw invalidQuery([{ resource, path: '', parameter: FORMAT_PARAMETER.name, code: 'invalid', info }]);
  }
  const types = Object.entries(EXPORT_TYPES);
  const preferred = preferredType(request.headers.accept, [JSON_TYPE, ...types.map(([, type]) => type)]);
  const found = types.find(([, type]) => type === preferred)?.[0] ?? 'json';
  return found as ExportFormat | 'json';
}
