import { runStatement, type Transaction } from '../database/database.js';
import { readFactsOfMany, type Facts, type RunQuery } from '../event/facts.js';
import { modelForTexts } from '../form/form-items.js';
import { addHistoryOfMany } from '../history/history.js';
import { conditionsOf, type ReadSettings, type RowSource, tableOf } from '../model/representation-sql.js';
import { NotFoundError } from '../validation/validation-error.js';
import { Scoring, type ScoringRule } from './scoring.js';
import { SCORING_ROOT } from './scoring-expression.js';

/** Whose scores are computed, by whom. */
export interface ScoreWrite {
  readonly recruiterId: number;
  readonly settings: ReadSettings;
}

/** A part of an opportunity's applications, in the order of their ids. */
export interface ScorePart {
  readonly opportunityId: number;
  /** Those after this one. */
  readonly afterId: number;
  /** At most so many. */
  readonly limit: number;
}

export interface ScoredPart {
  readonly scored: number;
  /** How many have another score than before. */
  readonly changed: number;
  /** Where to go on; null when there are no more. */
  readonly nextAfterId: number | null;
}

interface Scored {
  readonly id: number;
  readonly score: number | null;
}

/**
 * Computes the score of one application anew.
 * @returns false when it stays: then nothing happens
 * @throws {NotFoundError} when the collection has no such item
 * Source: CONTRACT.md 5, `copy`.
 */
export async function scoreApplication(transaction: Transaction, source: RowSource, id: number, write: ScoreWrite): Promise<boolean> {
  const [row] = await runStatement<Scored & { readonly opportunity_id: number }>(
    transaction,
    `SELECT t.id, t.score, t.opportunity_id FROM ${tableOf(source.type)} t WHERE ${['t.id = $1', ...conditionsOf(source, 't', '')].join(' AND ')} FOR NO KEY UPDATE`,
    [id],
  );
  if (!row) throw new NotFoundError(source.type.name, id);
  return (await scoreLocked(transaction, row.opportunity_id, [row], write)) > 0;
}

/** The same for a part of an opportunity's applications, so many that nobody has to wait for long. */
export async function scoreApplicationsOf(transaction: Transaction, { opportunityId, afterId, limit }: ScorePart, write: ScoreWrite): Promise<ScoredPart> {
  const found = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM applications WHERE opportunity_id = $1 AND id > $2 ORDER BY id LIMIT $3',
    [opportunityId, afterId, limit + 1],
  );
  const ids = found.slice(0, limit).map(({ id }) => id);
  // In the order of their ids, as everybody takes hold of several.
  const locked = await runStatement<Scored>(
    transaction,
    'SELECT id, score FROM applications WHERE id = ANY($1) AND opportunity_id = $2 ORDER BY id FOR NO KEY UPDATE',
    [ids, opportunityId],
  );
  const changed = await scoreLocked(transaction, opportunityId, locked, write);
  return { scored: locked.length, changed, nextAfterId: found.length > limit ? (ids.at(-1) ?? null) : null };
}

/** @param before  of one opportunity, held until the transaction ends: what another scoring has seen is not newer than what it leaves */
async function scoreLocked(transaction: Transaction, opportunityId: number, before: readonly Scored[], write: ScoreWrite): Promise<number> {
  const scores = await computeScores(transaction, opportunityId, before.map(({ id }) => id), write.settings);
  const changes = before.flatMap(({ id, score: old }) => {
    const current = scores.get(id) ?? null;
    return current === old ? [] : [{ id, old, current }];
  });
  if (changes.length === 0) return 0;
  await runStatement(
    transaction,
    `UPDATE applications a SET score = given.score, updated_dt = clock_timestamp()
     FROM unnest($1::bigint[], $2::numeric[]) AS given(id, score) WHERE a.id = given.id`,
    [changes.map(({ id }) => id), changes.map(({ current }) => current)],
  );
  await addHistoryOfMany(
    transaction,
    changes.map(({ id, old, current }) => ({
      type: 'field_change',
      subjectType: 'application',
      subjectId: id,
      recruiterId: write.recruiterId,
      changes: [{ path: '/score', old, new: current }],
    })),
  );
  return changes.length;
}

async function computeScores(transaction: Transaction, opportunityId: number, ids: readonly number[], settings: ReadSettings): Promise<ReadonlyMap<number, number | null>> {
  const run: RunQuery = (text, parameters) => runStatement(transaction, text, parameters);
  const rules = await runStatement<ScoringRule>(transaction, 'SELECT expression, points FROM scoring_rules WHERE opportunity_id = $1 ORDER BY position', [opportunityId]);
  const model = await modelForTexts(run, rules.map(({ expression }) => expression));
  const scoring = new Scoring(rules, model);
  const { datapaths } = scoring;
  const facts = datapaths.length > 0 ? await readFactsOfMany(run, { type: SCORING_ROOT, ids }, { datapaths, model, settings }) : new Map<number, Facts>();
  const [clock] = await runStatement<{ now: Date; timezone: string }>(transaction, 'SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1');
  const { now, timezone: timeZone } = clock ?? { now: new Date(NaN), timezone: 'UTC' };
  return new Map(ids.map((id) => [id, scoring.scoreOf({ now, timeZone, valueOf: (datapath) => facts.get(id)?.[datapath] })]));
}
