import { type ExpressionNode } from '../syntax/ast.js';
import { type CheckedExpression } from '../checking/check.js';
import { indexOf } from './compile.js';
import { compileCondition } from './compile-condition.js';
import { type Condition } from '../checking/condition.js';
import { collect } from '../syntax/datapaths-of.js';
import { type EvaluationContext, Frame } from './frame.js';
import { printNode } from '../syntax/print.js';

/** One part of an expression, with what it saw. */
export interface ExplainedPart {
  /** Canonical text. */
  readonly text: string;
  /** What `valueOf` gave for each datapath of this part; null when there was no value, or none could be had. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Null when it cannot be said, because a value could not be had. */
  readonly result: boolean | null;
  /** The operands, when this part is an AND, OR or NOT. */
  readonly parts?: readonly ExplainedPart[];
}

export interface Explanation {
  readonly result: boolean | null;
  /** The operands of the outermost AND or OR; else the whole expression as one part; empty when there is no condition. */
  readonly parts: readonly ExplainedPart[];
}

/**
 * Says of each part what it saw and what came of it. All parts are judged, those too that evaluation would skip. Asks
 * `valueOf` once per datapath and never throws.
 */
export function explainExpression(checked: CheckedExpression, context: EvaluationContext): Explanation {
  const { condition } = checked;
  if (condition === null) return { result: true, parts: [] };
  const seen = new Map<string, unknown>();
  const valueOf = (datapath: string): unknown => {
    seen.set(datapath, null);
    const value = context.valueOf(datapath);
    seen.set(datapath, value ?? null);
    return value;
  };
  const run = (part: Condition): boolean | null => compileCondition(part, indexOf)(frame) ?? null;
  const frame = new Frame(checked.paths, new SeenContext(context, valueOf));
  for (const number of checked.paths.keys()) frame.load(number);
  const whole = explainPart(condition, { run, seen });
  const isChain = condition.node.kind === 'and' || condition.node.kind === 'or';
  return { result: whole.result, parts: isChain && whole.parts !== undefined ? whole.parts : [whole] };
}

/** Reads the clock and the zone only when they are needed, for a context may throw. */
class SeenContext implements EvaluationContext {
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

/** What follows from the operands: judging them anew at each level would cost as much as the expression is deep. */
function combine(kind: Condition['kind'], results: readonly (boolean | null)[]): boolean | null {
  if (kind === 'not') return results[0] === null || results[0] === undefined ? null : !results[0];
  const decisive = kind === 'or';
  if (results.includes(decisive)) return decisive;
  return results.includes(null) ? null : !decisive;
}

/** Only what is written as AND, OR or NOT: the checked tree has more of them, made from `!=` and lists. */
function operandsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'not') return condition.node.kind === 'not' ? [condition.part] : [];
  const isChain = condition.kind === 'and' || condition.kind === 'or';
  return isChain && condition.node.kind === condition.kind ? condition.parts : [];
}

function valuesOf(node: ExpressionNode, seen: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const datapaths = new Set<string>();
  collect(node, datapaths);
  return Object.fromEntries([...datapaths].map((datapath) => [datapath, seen.get(datapath) ?? null]));
}
