import { type Placeholder, type ParsedTemplate } from './template.js';

/**
 * Fills a template in.
 * @param values  by the text of each placeholder's datapath; what is missing renders empty
 * @param escape  makes a value fit for where it stands, such as `htmlText`, `urlPart` or `oneLine`: nothing else does
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
