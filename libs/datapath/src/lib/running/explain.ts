import { type ExpressionNode } from '../syntax/ast.js';
import { type CheckedExpression } from '../checking/check.js';
import { indexOf } from './compile.js';
import { compileCondition } from './compile-condition.js';
import { type Condition } from '../checking/condition.js';
import { collectDatapaths } from '../syntax/datapaths-of.js';
import { type EvaluationContext, Frame } from './frame.js';
import { assertContext, readValue } from './check-context.js';
import { printNode } from '../syntax/print.js';

/** One part of an expression, with the values that it read. */
export interface ExplainedPart {
  /** The canonical text of the part. */
  readonly text: string;
  /**
   * Maps each datapath of this part to its value, as `valueOf` returned it. Null for a value that is missing or cannot
   * be read.
   */
  readonly values: Readonly<Record<string, unknown>>;
  /** Null when the result is unknown, for example because a value cannot be read. */
  readonly result: boolean | null;
  /** The operands of an AND, OR or NOT; absent for other parts. */
  readonly parts?: readonly ExplainedPart[];
}

/** The result of an expression for one object, with the results of its parts. */
export interface Explanation {
  /** Null when the result is unknown, for example because a value cannot be read. */
  readonly result: boolean | null;
  /** The operands of the outermost AND or OR. Any other expression is a single part. Empty for a blank expression. */
  readonly parts: readonly ExplainedPart[];
}

/**
 * Explains the result of an expression part by part: the values that were read, and the result. Parts that `evaluate`
 * would skip are evaluated, too. Calls `valueOf` once per datapath.
 * @throws {ContextError} when the context is wrong, see `CompiledExpression.test`
 * Source: docs/reference/notifications.md, "Explanations".
 */
export function explainExpression(checked: CheckedExpression, context: EvaluationContext): Explanation {
  assertContext(context);
  const { condition } = checked;
  if (condition === null) return { result: true, parts: [] };
  const seen = new Map<string, unknown>();
  const valueOf = (datapath: string): unknown => {
    seen.set(datapath, null);
    const value = readValue(context, datapath);
    seen.set(datapath, value ?? null);
    return value;
  };
  const run = (part: Condition): boolean | null => compileCondition(part, indexOf)(frame) ?? null;
  const frame = new Frame(checked.paths, new RecordingContext(context, valueOf));
  for (const number of checked.paths.keys()) frame.load(number);
  const whole = explainPart(condition, { run, seen });
  const isChain = condition.node.kind === 'and' || condition.node.kind === 'or';
  return { result: whole.result, parts: isChain && whole.parts !== undefined ? whole.parts : [whole] };
}

/**
 * A context that also records the values that an expression reads. It reads the clock and the time zone only on demand,
 * because the context of the host may throw.
 */
class RecordingContext implements EvaluationContext {
  constructor(
    private readonly context: EvaluationContext,
    readonly valueOf: (datapath: string) => unknown,
  ) {}

  get now(): Date {
    return this.context.now;
  }

  get timeZone(): string {
    return this.context.timeZone;
  }
}

interface Explainer {
  readonly run: (condition: Condition) => boolean | null;
  readonly seen: ReadonlyMap<string, unknown>;
}

function explainPart(condition: Condition, explainer: Explainer): ExplainedPart {
  const { node } = condition;
  const text = printNode(node);
  const values = valuesOf(node, explainer.seen);
  const operands = operandsOf(condition);
  if (operands.length === 0) return { text, values, result: explainer.run(condition) };
  const parts = operands.map((operand) => explainPart(operand, explainer));
  return {
    text,
    values,
    result: combine(
      condition.kind,
      parts.map(({ result }) => result),
    ),
    parts,
  };
}

/**
 * Computes the result of an AND, OR or NOT from the results of its operands. So each part is evaluated only once,
 * although other parts contain it.
 */
function combine(kind: Condition['kind'], results: readonly (boolean | null)[]): boolean | null {
  if (kind === 'not') return results[0] === null || results[0] === undefined ? null : !results[0];
  const decisive = kind === 'or';
  if (results.includes(decisive)) return decisive;
  return results.includes(null) ? null : !decisive;
}

/**
 * Returns the operands of an AND, OR or NOT that is in the text. Returns none for a condition that the checker made
 * from `!=` or from a list.
 */
function operandsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'not') return condition.node.kind === 'not' ? [condition.part] : [];
  const isChain = condition.kind === 'and' || condition.kind === 'or';
  return isChain && condition.node.kind === condition.kind ? condition.parts : [];
}

function valuesOf(node: ExpressionNode, seen: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const datapaths = new Set<string>();
  collectDatapaths(node, datapaths);
  return Object.fromEntries([...datapaths].map((datapath) => [datapath, seen.get(datapath) ?? null]));
}
