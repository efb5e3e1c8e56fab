import { type Condition, type ConditionTree, expressionTexts } from '@ats/search-query';
import { isPersonal } from '../../objects/personal-datapaths.js';

/** The texts in a query that may be personal data. */
export interface PersonalTexts {
  readonly values: readonly string[];
  /** The texts that the query searches for inside longer texts. */
  readonly parts: readonly string[];
}

/** Lists the texts that a condition compares with personal data. The text of a filter always belongs to them. */
export function personalTextsOf(condition: Condition): PersonalTexts {
  if (condition.kind === 'filter') return { values: [plain(condition.text)], parts: [plain(condition.text)] };
  if (condition.kind === 'all') {
    const all = condition.conditions.map(personalTextsOf);
    return { values: all.flatMap(({ values }) => values), parts: all.flatMap(({ parts }) => parts) };
  }
  if (condition.kind === 'expression') {
    const { checked, paths } = condition;
    if (checked.condition === null || !paths.some(mayBePersonal)) return { values: [], parts: [] };
    // An expression can compare each of its texts with a whole value or with a part of a value. So each text is listed
    // twice.
    const texts = expressionTexts(checked.condition).map(plain);
    return { values: texts, parts: texts };
  }
  const { path, operator, operand } = condition;
  if (!mayBePersonal(path) || operand.kind !== 'text') return { values: [], parts: [] };
  const values = operand.values.map(plain);
  return { values, parts: operator === '=~' ? values : [] };
}

/**
 * True for a datapath that may lead to personal data. Form values count, because the object model does not know what
 * they mean.
 */
const mayBePersonal = ({ root, datapath }: ConditionTree.Path): boolean => isPersonal(`${root}.${datapath}`);

/** Replaces null characters, which PostgreSQL cannot store, and line breaks, which separate the stored values. */
const plain = (text: string): string => text.replaceAll('\0', ' ').replaceAll('\n', ' ');
