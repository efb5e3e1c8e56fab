import { type ReadSettings, type RichTextForm } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { type QueryParameter } from '../vocabulary/operation.js';

/**
 * The parameter that chooses the format of rich texts: plain text or HTML.
 * Source: docs/reference/rich-text.md, "Reading".
 */
export const RICH_TEXT_PARAMETER: QueryParameter = {
  name: 'rich_txt_fmt',
  description:
    '`html` returns rich texts as sanitised HTML. Without this parameter, rich texts are plain text. ' +
    'Search, filter and sort always use the plain text.',
  schema: { type: 'string', enum: ['html'] },
};

/** Reads the parameter as a setting of the representation. @param refuse  receives the text of a violation */
export function readRichTextParameter(
  parameters: URLSearchParams,
  { compatibilityFlags }: Pick<RequestContext, 'compatibilityFlags'>,
  refuse: (info: Message) => void,
): Pick<ReadSettings, 'richText'> {
  const text = findOnly(parameters, RICH_TEXT_PARAMETER.name);
  if (text === undefined) return {};
  if (typeof text === 'object') refuse(text.message);
  else if (text !== 'html') refuse(message`expected html, found ${quote(text)}`);
  return { richText: compatibilityFlags.has('html_scalars') ? 'html_scalars' : 'html' };
}

/**
 * Reads the query of a route whose only parameter is `rich_txt_fmt`.
 * @param resource  name of the collection, as the violations show it
 * @returns undefined for plain text
 * @throws {Problem} 400 when parameters are unknown or invalid
 */
export function readRichTextForm(
  resource: string,
  query: URLSearchParams,
  context: RequestContext,
): RichTextForm | undefined {
  const { name: parameter } = RICH_TEXT_PARAMETER;
  const violations = unknownParameters(resource, query, [parameter]);
  const { richText } = readRichTextParameter(
    query,
    context,
    (info) => void violations.push({ resource, path: '', parameter, code: 'invalid', info }),
  );
  if (violations.length > 0) throw invalidQuery(violations);
  return richText;
}
