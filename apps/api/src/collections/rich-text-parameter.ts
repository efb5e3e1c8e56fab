import { type ReadSettings, type RichTextForm } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { faultyQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { type QueryParameter } from '../vocabulary/operation.js';

/** Source: SPEC.md 4.1, CONTRACT.md 4. */
export const RICH_TEXT_PARAMETER: QueryParameter = {
  name: 'rich_txt_fmt',
  description:
    'How rich texts read: `html` as sanitised HTML, without it as plain text. What is searched, filtered and sorted by is the plain text.',
  schema: { type: 'string', enum: ['html'] },
};

/** What the parameter adds to the settings of a reading. @param refuse  told what is wrong with it */
export function readRichTextParameter(
  parameters: URLSearchParams,
  { compatibilityFlags }: Pick<RequestContext, 'compatibilityFlags'>,
  refuse: (info: Message) => void,
): Pick<ReadSettings, 'richText'> {
  const text = findOnly(parameters, RICH_TEXT_PARAMETER.name);
  if (text === undefined) return {};
  if (typeof text === 'object') refuse(text.info);
  else if (text !== 'html') refuse(message`expected html, found ${quote(text)}`);
  return { richText: compatibilityFlags.has('html_scalars') ? 'html_scalars' : 'html' };
}

/**
 * The same for a route that takes no other parameter: the form in which it shows rich texts.
 * @param resource  name of the collection, as the faults show it
 * @throws {Problem} 400 for parameters that are unknown or wrong
 */
export function readRichTextForm(
  resource: string,
  query: URLSearchParams,
  context: RequestContext,
): RichTextForm | undefined {
  const { name: parameter } = RICH_TEXT_PARAMETER;
  const faults = unknownParameters(resource, query, [parameter]);
  const { richText } = readRichTextParameter(
    query,
    context,
    (info) => void faults.push({ resource, path: '', parameter, code: 'invalid', info }),
  );
  if (faults.length > 0) throw faultyQuery(faults);
  return richText;
}
