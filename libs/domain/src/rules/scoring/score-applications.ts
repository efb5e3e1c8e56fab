import { runStatement, type Transaction } from '@ats/postgres';
import { addHistoryOfMany } from '../history/history.js';
import { application } from '../../objects/application.model.js';
import { rememberFormerValues } from '../../writing/event/former-values.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { type RowSource } from '../../vocabulary/resource.js';
import { conditionsOf, type ReadSettings, tableOf } from '../../reading/representation-sql.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type ScoreComputer, scoreComputer } from './compute-scores.js';

/** The recruiter who writes scores, and the settings for the write. */
export interface ScoreWrite {
  readonly recruiterId: number;
  readonly settings: ReadSettings;
}

/**
 * A part of an opportunity's applications: the next ones in the order of their ids. Scores are computed part by part.
 */
export interface ScorePart {
  readonly opportunityId: number;
  /** The part begins after this id. */
  readonly afterId: number;
  /** The maximum number of applications. The part ends earlier when scoring takes longer than about a second. */
  readonly limit: number;
}

export interface ScoredPart {
  /** The number of applications that were scored. */
  readonly scored: number;
  /** The number of applications whose score changed. */
  readonly changed: number;
  /** The `afterId` of the next part. Null when no applications are left. */
  readonly nextAfterId: number | null;
}

/** Target duration of one part in ms. Other writes to the applications of the part have to wait for its end. */
const PART_MS = 1_000;

interface Scored {
  readonly id: number;
  readonly score: number | null;
}

/**
 * Computes the score of one application anew.
 * @returns false when the score stays the same; nothing changes then
 * @throws {NotFoundError} when the collection has no such item
 * Source: docs/reference/scoring.md, "Scores".
 */
export async function scoreApplication(
  transaction: Transaction,
  source: RowSource,
  id: number,
  write: ScoreWrite,
): Promise<boolean> {
  const [row] = await runStatement<Scored & { readonly opportunity_id: number }>(
    transaction,
    `SELECT t.id, t.score, t.opportunity_id FROM ${tableOf(source.type)} t
     WHERE ${['t.id = $1', ...conditionsOf(source, 't', '')].join(' AND ')} FOR NO KEY UPDATE`,
    [id],
  );
  if (!row) throw new NotFoundError(source.type.name, id);
  const computer = await scoreComputer(transaction, row.opportunity_id, write.settings);
  return (await writeScores(transaction, [row], { scores: await computer.compute([id], PART_MS), write })) > 0;
}

/**
 * Computes the scores of one part of an opportunity's applications anew. Locks these applications until the transaction
 * ends. The caller must hold a lock on the opportunity, so that its scoring rules do not change.
 */
export async function scoreApplicationsOf(
  transaction: Transaction,
  part: ScorePart,
  write: ScoreWrite,
): Promise<ScoredPart> {
  const computer = await scoreComputer(transaction, part.opportunityId, write.settings);
  const until = performance.now() + PART_MS;
  let [scored, changed, afterId] = [0, 0, part.afterId];
  do {
    const limit = Math.min(computer.atOnce, part.limit - scored);
    const step = await scoreStep(
      transaction,
      { ...part, afterId, limit },
      { computer, maxMs: until - performance.now(), write },
    );
    scored += step.scored;
    changed += step.changed;
    if (step.nextAfterId === null) return { scored, changed, nextAfterId: null };
    afterId = step.nextAfterId;
  } while (scored < part.limit && performance.now() < until);
  return { scored, changed, nextAfterId: afterId };
}

interface StepWork {
  readonly computer: ScoreComputer;
  readonly maxMs: number;
  readonly write: ScoreWrite;
}

/** Scores the next applications of a part: at most as many as the values of one read allow. */
async function scoreStep(
  transaction: Transaction,
  { opportunityId, afterId, limit }: ScorePart,
  { computer, maxMs, write }: StepWork,
): Promise<ScoredPart> {
  const found = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM applications WHERE opportunity_id = $1 AND id > $2 ORDER BY id LIMIT $3',
    [opportunityId, afterId, limit + 1],
  );
  const ids = found.slice(0, limit).map(({ id }) => id);
  // Applications are locked in the order of their ids. Every transaction that locks several applications uses this
  // order.
  const locked = await runStatement<Scored>(
    transaction,
    'SELECT id, score FROM applications WHERE id = ANY($1) AND opportunity_id = $2 ORDER BY id FOR NO KEY UPDATE',
    [ids, opportunityId],
  );
  const scores = await computer.compute(
    locked.map(({ id }) => id),
    maxMs,
  );
  const changed = await writeScores(transaction, locked, { scores, write });
  const isWhole = scores.size === locked.length;
  const nextAfterId = isWhole ? ids.at(-1) : [...scores.keys()].at(-1);
  return { scored: scores.size, changed, nextAfterId: isWhole && found.length <= limit ? null : (nextAfterId ?? null) };
}

interface ComputedScores {
  /** Maps the id of each scored application to its score. */
  readonly scores: ReadonlyMap<number, number | null>;
  readonly write: ScoreWrite;
}

/**
 * Writes the changed scores and their history entries.
 * @param before  the applications, which are locked. Concurrent computations therefore run one after the other, and
 *   none overwrites a newer score
 */
async function writeScores(
  transaction: Transaction,
  before: readonly Scored[],
  { scores, write }: ComputedScores,
): Promise<number> {
  const changes = before.flatMap(({ id, score: old }) => {
    const current = scores.get(id);
    return current === undefined || current === old ? [] : [{ id, old, current }];
  });
  if (changes.length === 0) return 0;
  await rememberFormerValues(transaction, { root: application.name, ids: changes.map(({ id }) => id) });
  await runStatement(
    transaction,
    `UPDATE applications a SET score = given.score, updated_dt = clock_timestamp()
     FROM unnest($1::bigint[], $2::numeric[]) AS given(id, score) WHERE a.id = given.id`,
    [changes.map(({ id }) => id), changes.map(({ current }) => current)],
  );
  await noteChanges(transaction, { root: application.name, change: 'update', ids: changes.map(({ id }) => id) });
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
