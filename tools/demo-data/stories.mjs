// @ts-check
import { DAY, HOUR, MINUTE, NOW, officeTime } from './calendar.mjs';
import { Random, weightsOf } from './random.mjs';

/**
 * A move of an application after its creation.
 * @typedef {{ to: string, at: number, by: 'recruiter' | 'candidate', comment: string | null }} Move
 */

/**
 * Maps a state of an application to a vacancy to the next moves. `stays` is the share of applications that stay in the
 * state, `days` is roughly the greatest number of days in the state, and `to` has the weights of the next states.
 */
const ways = {
  submitted: {
    stays: 0.3,
    days: 9,
    to: weightsOf({ in_review: 56, rejected: 29, interview: 5, on_hold: 2, withdrawn: 4 }),
  },
  in_review: {
    stays: 0.28,
    days: 14,
    to: weightsOf({ rejected: 60, interview: 21, assessment: 8, on_hold: 4, withdrawn: 7, offer_made: 0.5 }),
  },
  assessment: {
    stays: 0.2,
    days: 12,
    to: weightsOf({ interview: 45, rejected: 40, withdrawn: 10, offer_made: 3, on_hold: 2 }),
  },
  interview: {
    stays: 0.3,
    days: 16,
    to: weightsOf({ rejected: 62, assessment: 12, offer_made: 18, withdrawn: 12, on_hold: 6 }),
  },
  offer_made: {
    stays: 0.35,
    days: 10,
    to: weightsOf({ withdrawn: 40, offer_accepted: 30, interview: 8, rejected: 22 }),
  },
  offer_accepted: {
    stays: 0.7,
    days: 20,
    to: weightsOf({ withdrawn: 3, rejected: 1 }),
  },
  on_hold: {
    stays: 0.4,
    days: 30,
    to: weightsOf({ in_review: 40, interview: 20, rejected: 30, withdrawn: 10 }),
  },
};
/** Share of rejected or withdrawn applications that are reopened. */
const REOPENED = 0.02;

/** @type {Record<string, readonly (string | null)[]>} */
const comments = {
  in_review: [null, null, null, null, 'Looks promising', 'Passed on to the department'],
  interview: [null, null, 'First interview by video', 'Invited for Thursday', 'Department wants to meet in person'],
  assessment: [null, 'Case study sent', 'Online test sent'],
  offer_made: [null, 'Offer sent, two weeks to decide', 'Offer agreed with the department'],
  offer_accepted: [null, 'Accepted by phone', 'Signed contract received'],
  hired: [null, 'Starts on the first of the month'],
  on_hold: [null, 'Waiting for the budget', 'Asked to come back after the holidays'],
  rejected: [
    null,
    null,
    null,
    'Not enough experience',
    'Does not meet the requirements',
    'Another candidate was a better match',
    'Salary expectations too far apart',
  ],
  withdrawn: [null, null, 'Took another offer', 'Does not want to move'],
};

/**
 * Returns the moves of an application to a vacancy or an event.
 * @param {object} application
 * @param {import('./opportunities.mjs').Opportunity} application.opportunity
 * @param {number} application.at
 * @param {boolean} application.isHire
 * @param {Random} random
 * @returns {Move[]}
 */
export function movesOf({ opportunity, at, isHire }, random) {
  if (opportunity.kind === 'event') return registrationMoves(opportunity, at, random);
  return isHire ? wayToHire(opportunity, at, random) : wayThrough(opportunity, at, random);
}

/**
 * Returns the moves of an application that is not hired.
 * @param {import('./opportunities.mjs').Opportunity} opportunity
 * @param {number} createdAt
 * @param {Random} random
 */
function wayThrough({ endedAt }, createdAt, random) {
  /** @type {Move[]} */
  const moves = [];
  let state = 'submitted';
  let at = createdAt;
  const go = (
    /** @type {string} */ to,
    /** @type {number} */ moment,
    /** @type {string | null} */ comment = random.pick(comments[to]),
  ) => {
    moves.push({ to, at: moment, by: to === 'withdrawn' ? 'candidate' : 'recruiter', comment });
    [state, at] = [to, moment];
  };
  while (moves.length < 9) {
    if (state === 'rejected' || state === 'withdrawn') {
      const reopenedAt = officeTime(at + random.between(1, 20) * DAY, at, random);
      if (!random.chance(REOPENED) || reopenedAt > (endedAt ?? NOW)) return moves;
      go('in_review', reopenedAt, 'Taken up again');
      continue;
    }
    const { stays, days, to } = ways[/** @type {keyof typeof ways} */ (state)];
    if (random.chance(stays)) break;
    const due = at + Math.floor((0.1 + random.smallFloat()) * days * DAY);
    const next = random.weighted(to);
    const moment = next === 'withdrawn' ? due : officeTime(due, at, random);
    if (moment > Math.min(endedAt ?? NOW, NOW)) break;
    go(next, moment);
  }
  // When a vacancy ends, nearly all undecided applications are closed.
  if (endedAt !== null && random.chance(0.95) && state !== 'rejected' && state !== 'withdrawn') {
    const moment = officeTime(Math.max(endedAt, at) + random.between(0, 10) * DAY, Math.max(at, endedAt), random);
    if (moment <= NOW) go('rejected', moment, 'The vacancy is no longer open');
  }
  return moves;
}

const hireWays = [
  ['in_review', 'interview', 'offer_made', 'offer_accepted', 'hired'],
  ['in_review', 'interview', 'offer_made', 'offer_accepted', 'hired'],
  ['in_review', 'assessment', 'interview', 'offer_made', 'offer_accepted', 'hired'],
  ['interview', 'assessment', 'offer_made', 'offer_accepted', 'hired'],
  ['in_review', 'on_hold', 'interview', 'offer_made', 'offer_accepted', 'hired'],
];

/**
 * Returns the moves of a hired application.
 * @param {import('./opportunities.mjs').Opportunity} opportunity
 * @param {number} createdAt
 * @param {Random} random
 * @returns {Move[]} moves up to the end of the vacancy
 */
function wayToHire({ endedAt }, createdAt, random) {
  const way = random.pick(hireWays);
  const longest = (endedAt ?? NOW - HOUR) - createdAt;
  const duration = Math.min(longest, random.between(18, 70) * DAY);
  const parts = way.map(() => 0.3 + random.float());
  const total = parts.reduce((sum, part) => sum + part, 0);
  let passed = 0;
  return way.map((to, index) => {
    passed += parts[index];
    const at = createdAt + Math.floor((duration * passed) / total / MINUTE) * MINUTE;
    return { to, at, by: 'recruiter', comment: random.pick(comments[to]) };
  });
}

/**
 * Returns the moves of a registration for an event.
 * @param {import('./opportunities.mjs').Opportunity} event
 * @param {number} createdAt
 * @param {Random} random
 */
function registrationMoves({ time, state, endedAt, moves: life }, createdAt, random) {
  /** @type {Move[]} */
  const moves = [];
  const startsAt = time?.startsAt ?? NOW;
  const isCancelled = life.some(({ to }) => to === 'cancelled');
  const limit = Math.min(startsAt, NOW, isCancelled ? (endedAt ?? NOW) : NOW);
  const go = (
    /** @type {string} */ to,
    /** @type {number} */ at,
    /** @type {Move['by']} */ by = 'recruiter',
    /** @type {string | null} */ comment = null,
  ) => {
    moves.push({ to, at, by, comment });
    return at;
  };
  let at = createdAt;
  const answer = random.weighted(answers);
  const due = officeTime(at + random.between(0, 4) * DAY, at, random);
  if (answer !== 'registered' && due < limit) at = go(answer, due);
  if (answer === 'waitlisted' && at > createdAt) {
    const movedUp = officeTime(at + random.between(2, 12) * DAY, at, random);
    if (random.chance(0.5) && movedUp < limit) at = go('confirmed', movedUp);
  }
  const present = moves.at(-1)?.to ?? 'registered';
  if (present === 'declined') return moves;
  const leftAt = at + random.between(1, 200) * HOUR;
  if (random.chance(0.08) && leftAt < limit) {
    go('cancelled', leftAt, 'candidate');
  } else if (isCancelled && endedAt !== null) {
    go('cancelled', endedAt + random.between(1, 90) * MINUTE, 'recruiter', 'The event does not take place');
  } else if (present === 'confirmed' && time && time.endsAt < NOW && state !== 'open') {
    const cameInAt = time.startsAt + random.between(0, 60) * MINUTE;
    if (random.chance(0.82)) go('attended', cameInAt);
    else go('no_show', time.endsAt + random.between(10, 60) * MINUTE);
  }
  return moves;
}

const answers = weightsOf({ confirmed: 70, waitlisted: 12, declined: 5, registered: 13 });
