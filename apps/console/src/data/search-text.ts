/** One condition of the parameter `search`. Source: docs/reference/search.md, "Conditions". */
export interface Condition {
  /** A JSON pointer or a datapath. */
  readonly key: string;
  readonly operator: Operator;
  /** One value, or the elements of a list of values. */
  readonly values: readonly string[];
}

export const OPERATORS = ['=', '!=', '=~', '!~', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

const TAKES_LISTS: readonly Operator[] = ['=', '!='];
/** Matches values whose first character would be read as a part of the operator, or as the start of a list. */
const AMBIGUOUS = /^[{=~]/;

/**
 * Matches a key, an operator and a value. The key ends at the first of `= ! < >` outside brackets. The longest operator
 * matches.
 */
const PARTS = /^((?:\[[^\]]*\]|[^=!<>[])+)(=~|!=|!~|<=|>=|=|<|>)(.*)$/s;

/** Writes a condition as the text of the parameter `search`. */
export function formatCondition({ key, operator, values }: Condition): string {
  const [only = ''] = values;
  const isList = TAKES_LISTS.includes(operator) && (values.length !== 1 || AMBIGUOUS.test(only));
  return `${key}${operator}${isList ? `{${values.map(escapeItem).join(',')}}` : only}`;
}

const escapeItem = (value: string): string => value.replace(/[\\,{}]/g, (character) => `\\${character}`);

/** Parses the text of the parameter `search`. Undefined when the text has no key or no operator. */
export function parseCondition(text: string): Condition | undefined {
  const [, key, operator, value = ''] = PARTS.exec(text) ?? [];
  if (key === undefined || !isOperator(operator)) return undefined;
  const isList = TAKES_LISTS.includes(operator) && /^\{.*\}$/s.test(value);
  return { key, operator, values: isList ? splitList(value.slice(1, -1)) : [value] };
}

const isOperator = (text: string | undefined): text is Operator => OPERATORS.includes(text as Operator);

/** Splits the content of a list at its commas, except those after a backslash. */
function splitList(text: string): readonly string[] {
  const items = [''];
  for (const [part] of text.matchAll(/\\.|[^\\]|\\$/gs))
    if (part === ',') items.push('');
    else items.push(`${items.pop() ?? ''}${part.length > 1 ? part.slice(1) : part}`);
  return items;
}
