// @ts-check
import { DAY, MINUTE, NOW, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { referenceOf } from './messages.mjs';
import { Random, weights } from './random.mjs';
import { movesOf } from './stories.mjs';
import { boards, otherSources } from './work.mjs';

const tagChoices = [
  'top candidate',
  'second look',
  'referred',
  'internal',
  'relocation',
  'visa',
  'available immediately',
  'talent pool',
];
const ratings = weights([
  [1, 8],
  [2, 18],
  [3, 36],
  [4, 26],
  [5, 12],
]);
const initial = { vacancy: 'submitted', event: 'registered' };
export const processes = /** @type {const} */ ({ vacancy: 'main', event: 'event_application' });

/**
 * @typedef {object} Demo
 * @property {import('./plan.mjs').Plan} plan
 * @property {readonly import('./opportunities.mjs').Opportunity[]} opportunities
 * @property {ReadonlyMap<number, readonly import('./postings.mjs').Posting[]>} postingsOf by vacancy id
 * @property {import('./states.mjs').States} states
 * @property {number} firstCandidateId
 */

/**
 * Returns a function that derives the values of an application, for its tables and its history. It returns the same
 * values in each call.
 * @param {Demo} demo
 */
function reader({ plan, opportunities }) {
  const random = new Random('applications');
  return (/** @type {number} */ index) => {
    random.restart(index);
    const opportunity = opportunities[plan.opportunities[index]];
    const at = plan.times[index];
    const moves = movesOf({ opportunity, at, isHire: plan.isHire[index] === 1 }, random);
    const seen = moves[0];
    const isRated =
      opportunity.kind === 'vacancy' && seen !== undefined && seen.to !== 'withdrawn' && random.chance(0.4);
    const ratedAt = isRated ? Math.min(NOW, seen.at + random.between(2, 2_000) * MINUTE) : null;
    return { opportunity, at, moves, ratedAt, rating: isRated ? random.weighted(ratings) : null };
  };
}

/**
 * Yields the rows of the table of applications.
 * @param {Demo} demo
 */
export function* applicationRows(demo) {
  const { plan, postingsOf, states, firstCandidateId } = demo;
  const read = reader(demo);
  const random = new Random('application rows');
  for (let index = 0; index < plan.times.length; index++) {
    const { opportunity, at, moves, ratedAt, rating } = read(index);
    random.restart(index);
    const { kind } = opportunity;
    const last = moves.at(-1);
    const state = states.get(processes[kind], last?.to ?? initial[kind]);
    const enteredAt = last?.at ?? at;
    const posting =
      kind === 'vacancy' && random.chance(0.8)
        ? postingAt(postingsOf.get(opportunity.id) ?? [], at, random)
        : undefined;
    const created = timestamp(at);
    const entered = timestamp(enteredAt);
    yield [
      FIRST_ID + index,
      random.uuid(),
      created,
      timestamp(Math.max(enteredAt, ratedAt ?? 0)),
      kind === 'vacancy' ? 'vacancy_application' : 'event_application',
      referenceOf(FIRST_ID + index),
      opportunity.id,
      firstCandidateId + plan.applicants[index],
      posting?.id ?? null,
      state.id,
      entered,
      state.outcome,
      state.is_live,
      posting ? boards[posting.board].source : random.pick(otherSources),
      kind === 'vacancy' && random.chance(0.35) ? random.between(0, 20) * 5 : null,
      random.chance(0.12) ? random.some(tagChoices, random.between(1, 2)) : [],
      rating,
      created,
      state.outcome === 'hired' ? entered : null,
      state.outcome === 'declined' ? entered : null,
      state.outcome === 'withdrawn' ? entered : null,
    ];
  }
}

/**
 * Picks one of the postings that were open at the time `at`. Returns undefined when none was open.
 * @param {readonly import('./postings.mjs').Posting[]} postings
 * @param {number} at
 * @param {Random} random
 */
function postingAt(postings, at, random) {
  const seen = postings.filter(
    ({ createdAt, updatedAt, opensAt, closesAt, isWithdrawn }) =>
      createdAt <= at &&
      opensAt <= at &&
      (closesAt === null || at < closesAt + DAY) &&
      (!isWithdrawn || at < updatedAt),
  );
  return seen.length > 0 ? random.pick(seen) : undefined;
}

/**
 * Yields the histories in the order of the applications' creation.
 * @param {Demo} demo
 * @returns {Iterable<import('./history.mjs').Past>}
 */
export function* applicationPasts(demo) {
  const { plan, states } = demo;
  const read = reader(demo);
  for (let index = 0; index < plan.times.length; index++) {
    const { opportunity, at, moves, ratedAt, rating } = read(index);
    const subject = { subjectType: 'application', subjectId: FIRST_ID + index };
    const process = processes[opportunity.kind];
    let from = states.id(process, initial[opportunity.kind]);
    /** @type {import('./history.mjs').Entry[]} */
    const entries = [{ ...subject, type: 'created', at, to: from }];
    for (const { to, at, by, comment } of moves) {
      const target = states.id(process, to);
      entries.push({
        ...subject,
        type: 'state_change',
        at,
        by: by === 'recruiter' ? opportunity.ownerId : null,
        from,
        to: target,
        comment,
      });
      from = target;
    }
    if (ratedAt !== null)
      entries.push({
        ...subject,
        type: 'field_change',
        at: ratedAt,
        by: opportunity.ownerId,
        changes: [{ path: '/rating', old: null, new: rating }],
      });
    yield { at, entries };
  }
}

/**
 * Shortest time between the creation and the first move of an application that gets form values and messages. They are
 * written before the first move.
 */
const TIME_TO_SPARE = 30 * MINUTE;

/**
 * Picks early applications that waited for their first move, to add form values and messages to them.
 * @param {Demo} demo
 * @param {'vacancy' | 'event'} kind
 * @param {number} count
 */
export function firstApplications(demo, kind, count) {
  const { plan, firstCandidateId } = demo;
  const read = reader(demo);
  const found = [];
  for (let index = 0; index < plan.times.length && found.length < count; index++) {
    const { opportunity, at, moves } = read(index);
    const seen = moves[0];
    if (opportunity.kind !== kind || !seen || seen.at - at < TIME_TO_SPARE) continue;
    const candidate = plan.applicants[index];
    found.push({ id: FIRST_ID + index, at, opportunity, candidate, userId: firstCandidateId + candidate });
  }
  return found;
}
