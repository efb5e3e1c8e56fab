import { type PastFunction } from '../syntax/ast.js';
import { printPast } from '../syntax/past.js';
import { type OperandType } from './condition.js';
import { type ValueType } from './model.js';
import { type ResolvedDatapath } from './resolve.js';

/** Maps the type of a datapath to the type of an operand that reads it. */
export const operandTypes: Readonly<Record<ValueType | 'reference', OperandType>> = {
  integer: 'number',
  decimal: 'number',
  text: 'text',
  rich_text: 'text',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  reference: 'unknown',
};

/** Returns what a call of CHANGED or WAS reads. WAS has the type of the datapath, and CHANGED is a single boolean. */
export function pastOf(path: ResolvedDatapath, call: PastFunction): ResolvedDatapath {
  const text = printPast(call, path.text);
  if (call === 'WAS') return { ...path, text, past: call };
  const { root, steps, owner, end } = path;
  return { text, root, steps, owner, end, type: 'boolean', many: false, past: call };
}
