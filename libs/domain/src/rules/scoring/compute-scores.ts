import { runStatement, type Transaction } from '@ats/postgres';
import { runIn } from '../../reading/run-query.js';
import { readDatapathsOfMany, type DatapathValues } from '../../facts/read-datapaths.js';
import { modelForTexts } from '../../facts/form-items.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { Scoring, type ScoringRule } from './scoring.js';
import { SCORING_ROOT } from './scoring-expression.js';
import { TimeSlice } from './time-slice.js';

/**
 * Maximum number of values that are read at once, for all applications together. Each value may be a long text, and all
 * of them must fit into memory.
 */
const VALUES_AT_ONCE = 5_000;

/** Computes scores with the rules that the opportunity had when {@link scoreComputer} was called. */
export interface ScoreComputer {
  /** The maximum number of ids that one call of `compute` may have. */
  readonly atOnce: number;
  /**
   * Computes scores in the order of the ids until the time is used up, but always at least one score.
   * @param maxMs  time limit in ms; the pauses in which the event loop runs other work do not count
   * @returns the computed scores by id
   */
  compute(ids: readonly number[], maxMs: number): Promise<ReadonlyMap<number, number | null>>;
}

export async function scoreComputer(
  transaction: Transaction,
  opportunityId: number,
  settings: ReadSettings,
): Promise<ScoreComputer> {
  const run = runIn(transaction);
  const rules = await runStatement<ScoringRule>(
    transaction,
    'SELECT expression, points FROM scoring_rules WHERE opportunity_id = $1 ORDER BY position',
    [opportunityId],
  );
  const model = await modelForTexts(
    run,
    rules.map(({ expression }) => expression),
  );
  const scoring = new Scoring(rules, model);
  const { datapaths } = scoring;
  const [clock] = await runStatement<{ now: Date; timezone: string }>(
    transaction,
    'SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1',
  );
  const { now, timezone: timeZone } = clock ?? { now: new Date(NaN), timezone: 'UTC' };
  return {
    atOnce: Math.floor(VALUES_AT_ONCE / Math.max(1, datapaths.length)),
    async compute(ids, maxMs) {
      const values =
        datapaths.length > 0
          ? await readDatapathsOfMany(run, { type: SCORING_ROOT, ids }, { datapaths, model, settings })
          : new Map<number, DatapathValues>();
      const slice = new TimeSlice();
      const scores = new Map<number, number | null>();
      for (const id of ids) {
        if (scores.size > 0 && slice.spentMs >= maxMs) break;
        scores.set(
          id,
          await scoring.scoreOf({ now, timeZone, valueOf: (datapath) => values.get(id)?.[datapath] }, slice),
        );
      }
      return scores;
    },
  };
}
