import { type CheckedExpression } from '../checking/check.js';
import { compileCondition } from './compile-condition.js';
import { type Scope } from './compile-operand.js';
import { type Condition, type PathOperand } from '../checking/condition.js';
import { type DatapathTable } from './datapath-table.js';
import { type EvaluationContext, Frame } from './frame.js';
import { intern } from './intern.js';
import { judgeProgram, linkProgram, type Program, runProgram } from './program.js';
import { type ResolvedDatapath } from '../checking/resolve.js';
import { type Truth } from './truth.js';

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
  /**
   * As `judge`, on a context opened by the table that this expression was compiled with.
   * @throws {TypeError} when it was opened by another one, or the expression was compiled without a table
   */
  judgeOpened(opened: Frame): Truth;
}

/**
 * Makes a checked expression ready to run, once per expression; running it walks no tree.
 * @param table shared with other expressions that are run on the same objects; optional
 */
export function compileExpression(checked: CheckedExpression, table?: DatapathTable): CompiledExpression {
  return new RunnableExpression(checked, table);
}

class RunnableExpression implements CompiledExpression {
  private readonly program: Program;
  /** The datapaths of this expression alone, made when they are first needed. */
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
    return runProgram(this.program, this.open(context), false);
  }

  judge(context: EvaluationContext): Truth {
    return judgeProgram(this.program, this.open(context));
  }

  judgeOpened(opened: Frame): Truth {
    if (opened.slots !== this.table?.slots) throw new TypeError('the context was opened by another table of datapaths');
    return judgeProgram(this.program, opened);
  }

  private open(context: EvaluationContext): Frame {
    return this.table === undefined ? new Frame(this.slots, context) : this.table.open(context);
  }

  private get slots(): readonly ResolvedDatapath[] {
    return (this.ownSlots ??= this.checked.paths.map((path) => ({ ...path, text: intern(path.text) })));
  }
}

/** All conditions as one program; none gives one that always holds. */
export function compileProgram(conditions: readonly Condition[], slotOf: Scope['slotOf']): Program {
  return linkProgram(conditions, { slotOf, compile: (condition) => compileCondition(condition, slotOf) });
}

/** Where a frame of one expression alone has a value. */
export const indexOf = (operand: PathOperand): number => operand.index;
