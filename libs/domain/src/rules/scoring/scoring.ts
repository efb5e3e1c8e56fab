import { type CompiledExpression, DatapathError, DatapathTable, type EvaluationContext } from '@ats/datapath';
import { type DomainModel } from '../../objects/object-model.js';
import { compileScoringExpression } from './scoring-expression.js';
import { type TimeSlice } from './time-slice.js';

/** A scoring rule as it is stored. */
export interface ScoringRule {
  readonly expression: string;
  readonly points: number;
}

interface CompiledRule {
  readonly condition: CompiledExpression;
  readonly hundredths: number;
}

/** The compiled rules of an opportunity. They can score any number of applications. */
export class Scoring {
  readonly #rules: readonly CompiledRule[];
  /** All rules share this table, so that a value that several rules need is read once. */
  readonly #table = new DatapathTable();

  /**
   * @param model  includes the form items that the rules name. A rule whose item was deleted, or now has another type,
   *   adds no points.
   */
  constructor(
    private readonly stored: readonly ScoringRule[],
    model: DomainModel,
  ) {
    this.#rules = stored.flatMap(({ expression, points }) => {
      const condition = compiled(expression, model, this.#table);
      return condition ? [{ condition, hundredths: Math.round(points * 100) }] : [];
    });
  }

  /** The datapaths of all values that the rules read. Each datapath begins at the scored application. */
  get datapaths(): readonly string[] {
    return this.#table.datapaths;
  }

  /**
   * Returns the sum of the points of all rules that are true, exact to two decimals. Null when there are no rules.
   * Never rejects.
   */
  async scoreOf(context: EvaluationContext, slice: TimeSlice): Promise<number | null> {
    if (this.stored.length === 0) return null;
    const opened = this.#table.open(context);
    // The sum is computed in hundredths, because sums of decimals have rounding errors.
    let sum = 0;
    for (const { condition, hundredths } of this.#rules) {
      if (condition.evaluateOpened(opened) === true) sum += hundredths;
      await slice.next();
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
