import { type JsonSchema } from '@ats/domain';
import { type OperationDescription } from '../vocabulary/operation.js';
import { answerWith, noting } from './reshape.js';

const ONLY_HERE =
  'Every value of `layout_data`, and of a form, is a text of HTML then, be it a number, `true` or a date; null stays null. Values of forms that are read so cannot be sent back.';
const NOTE = 'With `rich_txt_fmt=html` each is a text of HTML, whatever it is without it.';

/** How an operation is described where the parameter makes HTML of all values of layouts and forms. */
export const describeHtmlScalars = (operation: OperationDescription): OperationDescription =>
  withSchemas(withParameter(operation));

const withParameter = noting({ rich_txt_fmt: ONLY_HERE });

/** A schema in which, wherever the values of a layout or of a form are, their parts say that they can be texts. */
export const withHtmlScalars = (schema: JsonSchema): JsonSchema => within(schema) as JsonSchema;

const withSchemas = answerWith(withHtmlScalars);

function within(part: unknown, name = ''): unknown {
  if (Array.isArray(part)) return part.map((one) => within(one));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([member, value]) => [member, within(value, member)] as const);
  const same = Object.fromEntries(members);
  return name === 'layout_data' || name === 'form_values' ? withTexts(same) : same;
}

interface ListSchema {
  readonly items: { readonly properties: Readonly<Record<string, JsonSchema>> };
}

function withTexts(list: JsonSchema): JsonSchema {
  const { items } = list as unknown as ListSchema;
  const values = Object.fromEntries(['value', 'value_raw'].map((name) => [name, orText(items.properties[name] ?? {})]));
  return { ...list, items: { ...items, properties: { ...items.properties, ...values } } };
}

/** A part without types takes anything already. */
function orText(part: JsonSchema): JsonSchema {
  const { type, items, description } = part as {
    readonly type?: readonly string[];
    readonly items?: JsonSchema;
    readonly description?: string;
  };
  const types = type && [...new Set(['string', ...type])];
  return {
    ...part,
    ...(types && { type: types }),
    ...(items && { items: orText(items) }),
    ...(description !== undefined && { description: `${description} ${NOTE}` }),
  };
}
