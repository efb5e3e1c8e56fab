import { type CompiledExpression, DatapathError, type EvaluationContext } from '@ats/datapath';
import { type DomainModel } from '../model/object-model.js';
import { compileScoringExpression } from './scoring-expression.js';

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

  /** @param model  with the form items that the rules name. A rule whose item is gone, or is of another type by now, counts nothing. */
  constructor(private readonly stored: readonly ScoringRule[], model: DomainModel) {
    this.#rules = stored.flatMap(({ expression, points }) => {
      const condition = compiled(expression, model);
      return condition ? [{ condition, hundredths: Math.round(points * 100) }] : [];
    });
  }

  /** The datapaths to read of each application. */
  get datapaths(): readonly string[] {
    return [...new Set(this.#rules.flatMap(({ condition }) => condition.datapaths))];
  }

  /** The points of the rules that hold, exact to the last decimal; null when there are no rules. Never throws. */
  scoreOf(context: EvaluationContext): number | null {
    if (this.stored.length === 0) return null;
    // In whole numbers: sums of decimals would not be what people add up.
    return this.#rules.reduce((sum, { condition, hundredths }) => (condition.test(context) ? sum + hundredths : sum), 0) / 100;
  }
}

function compiled(expression: string, model: DomainModel): CompiledExpression | undefined {
  try {
    return compileScoringExpression(expression, model);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}
