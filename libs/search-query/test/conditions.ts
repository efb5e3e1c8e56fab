import { type Condition } from '../src/lib/model/condition.js';
import { type SearchSubject } from '../src/lib/model/search-model.js';
import { readSearchCondition } from '../src/lib/reading/search-condition.js';
import { model, orders } from './orders.js';

/** Options for compiling SQL over the row `t` of an order. */
export const SQL_OPTIONS = { model, alias: 't', settings: { prefix: "'no. '" } };

/** Reads a `search` parameter that must be valid. */
export const conditionOf = (text: string, subject: SearchSubject = orders): Condition => {
  const condition = readSearchCondition(subject, text);
  if ('violations' in condition) throw new Error(String(condition.violations[0].message));
  return condition;
};
