import { type Condition, type ConditionTree, expressionTexts } from '@ats/search-query';
import { isPersonal } from '../../objects/personal-datapaths.js';

/** The values that a query compares with personal data. */
export interface PersonalTexts {
  readonly values: readonly string[];
  /** The values that the query compares with a part of a text. */
  readonly parts: readonly string[];
}

/** Lists the values that a condition compares with personal data. The text of a filter always counts as one. */
export function personalTextsOf(condition: Condition): PersonalTexts {
  if (condition.kind === 'filter') return { values: [plain(condition.text)], parts: [plain(condition.text)] };
  if (condition.kind === 'all') {
    const all = condition.conditions.map(personalTextsOf);
    return { values: all.flatMap(({ values }) => values), parts: all.flatMap(({ parts }) => parts) };
  }
  if (condition.kind === 'expression') {
    const { checked, paths } = condition;
    if (checked.condition === null || !paths.some(mayBePersonal)) return { values: [], parts: [] };
    // An expression can compare any of its texts with any of its values, or with a part of a value. So each text counts
    // as both.
    const texts = expressionTexts(checked.condition).map(plain);
    return { values: texts, parts: texts };
  }
  const { path, operator, operand } = condition;
  if (!mayBePersonal(path) || operand.kind !== 'text') return { values: [], parts: [] };
  const values = operand.values.map(plain);
  return { values, parts: operator === '=~' ? values : [] };
}

/** Answers to form items count as personal data, because the object model does not know what they mean. */
const mayBePersonal = ({ root, datapath }: ConditionTree.Path): boolean => isPersonal(`${root}.${datapath}`);

/** Replaces null characters, which PostgreSQL cannot store, and line breaks, which separate the stored values. */
const plain = (text: string): string => text.replaceAll('\0', ' ').replaceAll('\n', ' ');
