import { type CheckedExpression, checkExpression, type CheckOptions } from '../checking/check.js';
import { type ObjectModel } from '../checking/model.js';
import { parseExpression } from '../syntax/parser.js';
import { compileCondition } from './compile-condition.js';
import { type Scope } from './compile-operand.js';
import { type Condition, type PathOperand } from '../checking/condition.js';
import { type DatapathTable, intern, openFrame } from './datapath-table.js';
import { type EvaluationContext, Frame, type OpenedContext, type Truth } from './frame.js';
import { evaluateProgram, linkProgram, type Program } from './program.js';
import { type ResolvedDatapath } from '../checking/resolve.js';

/** An expression that can be evaluated. */
export interface CompiledExpression {
  /** The checked expression that was compiled. */
  readonly checked: CheckedExpression;
  /** Canonical texts of all datapaths that evaluation can read, without duplicates. */
  readonly datapaths: readonly string[];
  /**
   * Returns true when the condition is true. Returns false when the result is unknown.
   * @throws {ContextError} when the context is wrong: it is no object, it has no function `valueOf`, or the result needs
   *   `now` or `timeZone`, which is no `Date` or no IANA name
   */
  test(context: EvaluationContext): boolean;
  /**
   * Like `test`, but returns undefined when the result is unknown. For example, `valueOf` threw for a value that
   * decides the result, or a to-many datapath exceeds a limit. Source: docs/reference/expressions.md, "Evaluation".
   * @throws {ContextError} when the context is wrong, see `test`
   */
  evaluate(context: EvaluationContext): Truth;
  /**
   * Like `evaluate`, for a context that was opened by the table of this expression.
   * @throws {TypeError} when another table opened the context, or the expression was compiled without a table
   * @throws {ContextError} when the context is wrong, see `test`
   */
  evaluateOpened(opened: OpenedContext): Truth;
}

/**
 * Compiles a checked expression. Compile each expression once and evaluate the result many times, because compiling is
 * slow and evaluating is fast.
 * @param table the table of several expressions that are evaluated for the same objects, so that they share the values
 *   that they read. Without a table, each expression reads all its values itself
 */
export function compileExpression(checked: CheckedExpression, table?: DatapathTable): CompiledExpression {
  return new RunnableExpression(checked, table);
}

/**
 * Parses, checks and compiles an expression.
 * @param roots  names that datapaths may begin with; each is the name of an object type of the model
 * @throws {DatapathSyntaxError} with the first violation of the grammar
 * @throws {DatapathCheckError} with all names and types that do not match the model
 * @throws {ModelError} when the model contradicts itself, see `checkModel`
 */
export function compile(
  text: string,
  model: ObjectModel,
  roots: readonly string[],
  options?: CheckOptions,
): CompiledExpression {
  return compileExpression(checkExpression(parseExpression(text, model), model, roots, options));
}

class RunnableExpression implements CompiledExpression {
  private readonly program: Program;
  /** The datapaths by slot, for an expression without a table. The list is created when it is first needed. */
  private ownSlots: readonly ResolvedDatapath[] | undefined;

  constructor(
    readonly checked: CheckedExpression,
    private readonly table: DatapathTable | undefined,
  ) {
    const { condition, paths } = checked;
    const numbers = table?.take(paths);
    const slotOf = numbers === undefined ? indexOf : (operand: PathOperand): number => numbers[operand.index] ?? 0;
    this.program = compileProgram(condition === null ? [] : [condition], slotOf);
  }

  get datapaths(): readonly string[] {
    return this.slots.map((path) => path.text);
  }

  test(context: EvaluationContext): boolean {
    return this.evaluate(context) === true;
  }

  evaluate(context: EvaluationContext): Truth {
    return evaluateProgram(this.program, this.open(context));
  }

  evaluateOpened(opened: OpenedContext): Truth {
    const frame = opened as Frame;
    if (this.table === undefined || frame.slots !== this.table.slots)
      throw new TypeError('expected a context that was opened with the datapath table of this expression');
    return evaluateProgram(this.program, frame);
  }

  private open(context: EvaluationContext): Frame {
    return this.table === undefined ? new Frame(this.slots, context) : openFrame(this.table, context);
  }

  private get slots(): readonly ResolvedDatapath[] {
    return (this.ownSlots ??= this.checked.paths.map((path) => ({ ...path, text: intern(path.text) })));
  }
}

/**
 * Compiles the conditions to a program that is true when all of them are true. Without conditions it is always true.
 */
export function compileProgram(conditions: readonly Condition[], slotOf: Scope['slotOf']): Program {
  return linkProgram(conditions, { slotOf, compile: (condition) => compileCondition(condition, slotOf) });
}

/**
 * Returns the slot of a datapath, which is the position of its value in a `Frame`, for an expression without a
 * `DatapathTable`: its index among the datapaths of the expression.
 */
export const indexOf = (operand: PathOperand): number => operand.index;
