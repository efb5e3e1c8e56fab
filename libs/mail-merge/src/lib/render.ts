import { type Placeholder, type ParsedTemplate } from './template.js';

/**
 * Replaces the placeholders of a template by values.
 * @param values maps the text of a datapath to its value; a missing value becomes an empty text
 * @param escape  escapes a value for its position, such as `htmlText`, `urlPart` or `oneLine`. Nothing else is escaped.
 */
export function renderTemplate<Value>(
  { parts }: ParsedTemplate,
  values: ReadonlyMap<string, Value>,
  escape: (value: Value, placeholder: Placeholder) => string,
): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const value = values.get(part.datapath.text);
      return value === undefined ? '' : escape(value, part);
    })
    .join('');
}
