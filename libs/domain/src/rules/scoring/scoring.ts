import { type CompiledExpression, DatapathError, DatapathTable, type EvaluationContext } from '@ats/datapath';
import { type DomainModel } from '../../objects/object-model.js';
import { compileScoringExpression } from './scoring-expression.js';
import { type TimeSlice } from './time-slice.js';

/** As it is stored. */
export interface ScoringRule {
  readonly expression: string;
  readonly points: number;
}

interface CompiledRule {
  readonly condition: CompiledExpression;
  readonly hundredths: number;
}

/** The rules of an opportunity, ready to score any number of applications. */
export class Scoring {
  readonly #rules: readonly CompiledRule[];
  /** What several rules look at is read once. */
  readonly #table = new DatapathTable();

  /** @param model  with the form items that the rules name. A rule whose item is gone, or is of another type by now, counts nothing. */
  constructor(
    private readonly stored: readonly ScoringRule[],
    model: DomainModel,
  ) {
    this.#rules = stored.flatMap(({ expression, points }) => {
      const condition = compiled(expression, model, this.#table);
      return condition ? [{ condition, hundredths: Math.round(points * 100) }] : [];
    });
  }

  /** The datapaths to read of each application. */
  get datapaths(): readonly string[] {
    return this.#table.datapaths;
  }

  /** The points of the rules that hold, exact to the last decimal; null when there are no rules. Never throws. */
  async scoreOf(context: EvaluationContext, turns: TimeSlice): Promise<number | null> {
    if (this.stored.length === 0) return null;
    const opened = this.#table.open(context);
    // In whole numbers: sums of decimals would not be what people add up.
    let sum = 0;
    for (const { condition, hundredths } of this.#rules) {
      if (condition.evaluateOpened(opened) === true) sum += hundredths;
      await turns.next();
    }
    return sum / 100;
  }
}

function compiled(expression: string, model: DomainModel, table: DatapathTable): CompiledExpression | undefined {
  try {
    return compileScoringExpression(expression, model, table);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}
