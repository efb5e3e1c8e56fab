import { type CheckedExpression } from './check.js';
import { compileComparison, compileMembership } from './compile-comparison.js';
import { type Condition } from './condition.js';
import { type EvaluationContext, Frame } from './frame.js';
import { SlotTable } from './slot-table.js';
import { type Test, type Truth } from './truth.js';

/** An expression ready to run. */
export interface CompiledExpression {
  readonly checked: CheckedExpression;
  /** Canonical texts of the datapaths needed, each once: fetch these and no others. */
  readonly datapaths: readonly string[];
  /** Whether the condition holds; false when that is unknown. Never throws, whatever the context holds. */
  test(context: EvaluationContext): boolean;
  /**
   * As `test`, but undefined when it cannot be said: a value that decides could not be had (`valueOf` threw), or a
   * to-many datapath has too many elements. An unknown part that does not decide changes nothing.
   */
  judge(context: EvaluationContext): Truth;
}

/** Turns a checked expression into closures, once per expression; running it walks no tree. */
export function compileExpression(checked: CheckedExpression): CompiledExpression {
  const table = new SlotTable();
  const { condition } = checked;
  const run = condition === null ? always : compileCondition(condition, table);
  return {
    checked,
    datapaths: checked.paths.map((path) => path.text),
    test: (context) => run(new Frame(table, context)) === true,
    judge: (context) => run(new Frame(table, context)),
  };
}

const always: Test = () => true;
const never: Test = () => false;

/** The test of one condition over the slots of `table`, which gets those that it lacks. */
export function compileCondition(condition: Condition, table: SlotTable): Test {
  switch (condition.kind) {
    case 'and':
      return compileAnd(condition.parts.map((part) => compileCondition(part, table)));
    case 'or':
      return compileOr(condition.parts.map((part) => compileCondition(part, table)));
    case 'not':
      return compileNot(condition.part, table);
    case 'compare':
      return compileComparison(condition, table);
    case 'in':
      return compileMembership(condition, table);
    case 'constant':
      return condition.value ? always : never;
  }
}

/** False when any part is false, else unknown when any part is, else true. */
export function compileAnd(tests: readonly Test[]): Test {
  const [first = always, second, ...others] = tests;
  if (second === undefined) return first;
  if (others.length > 0) return compileAnd([compileAnd([first, second]), ...others]);
  return (frame) => {
    const left = first(frame);
    if (left === false) return false;
    const right = second(frame);
    return right === false ? false : left && right;
  };
}

/** True when any part is true, else unknown when any part is, else false. */
export function compileOr(tests: readonly Test[]): Test {
  const [first = never, second, ...others] = tests;
  if (second === undefined) return first;
  if (others.length > 0) return compileOr([compileOr([first, second]), ...others]);
  return (frame) => {
    const left = first(frame);
    if (left === true) return true;
    const right = second(frame);
    return right === true || left === false ? right : undefined;
  };
}

function compileNot(part: Condition, table: SlotTable): Test {
  if (part.kind === 'not') return compileCondition(part.part, table);
  const test = compileCondition(part, table);
  return (frame) => {
    const truth = test(frame);
    return truth === undefined ? undefined : !truth;
  };
}
