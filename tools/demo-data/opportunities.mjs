// @ts-check
import { BEGINNING, date, DAY, HOUR, NOW, officeTime, startOfDay, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { offices, salaryFactors } from './places.mjs';
import { Random } from './random.mjs';
import { richText } from './rich-text.mjs';
import { employmentTypes, eventKinds, fields, levels, vacancyDescription, venues } from './work.mjs';

/**
 * A vacancy or an event with its states over time, and the times at which it accepted applications.
 *
 * @typedef {object} Opportunity
 * @property {number} id
 * @property {'vacancy' | 'event'} kind
 * @property {string} state
 * @property {number} createdAt
 * @property {readonly { to: string, at: number }[]} moves moves after the creation as a draft
 * @property {readonly { from: number, to: number }[]} openTimes
 * @property {number | null} endedAt time at which it stopped accepting applications for good; null before
 * @property {number} ownerId
 * @property {number} field index into `fields`
 * @property {string} title
 * @property {string} department
 * @property {string | null} location
 * @property {string | null} currency
 * @property {number | null} closesAt
 * @property {number} openings
 * @property {number} hires number of hired applications
 * @property {number} popularity
 * @property {number} level index into `levels`
 * @property {{ startsAt: number, endsAt: number } | null} time of an event
 */

/** The number of opportunities in each state, for 60 vacancies and 10 events. */
const vacancyStates = { open: 33, draft: 4, on_hold: 4, closed: 4, filled: 8, cancelled: 3, archived: 4 };
const eventStates = { open: 4, draft: 1, completed: 2, cancelled: 1, archived: 1, closed: 1 };

/**
 * Plans all vacancies and events.
 * @param {import('./options.mjs').Sizes} sizes
 * @param {readonly number[]} recruiterIds
 * @returns {Opportunity[]} in the order of their creation, which is the order of their ids
 */
export function planOpportunities(sizes, recruiterIds) {
  const random = new Random('opportunities');
  const drafts = [
    ...statesOf(vacancyStates, sizes.vacancies).map((state, index) =>
      planVacancy(state, random.restart(index), recruiterIds),
    ),
    ...statesOf(eventStates, sizes.events).map((state, index) =>
      planEvent(state, random.restart(-1 - index), recruiterIds),
    ),
  ];
  drafts.sort((left, right) => left.createdAt - right.createdAt);
  return drafts.map((draft, index) => ({ ...draft, id: FIRST_ID + index }));
}

/**
 * Repeats each state by its share, and at least once where possible.
 * @param {Record<string, number>} shares
 * @param {number} count
 */
function statesOf(shares, count) {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const [most, ...others] = Object.entries(shares);
  const states = others
    .flatMap(([state, share]) => Array(Math.max(1, Math.round((share / total) * count))).fill(state))
    .slice(0, Math.max(0, count - 1));
  return [...Array(count - states.length).fill(most[0]), ...states];
}

/**
 * Plans a vacancy that ends in this state.
 * @param {string} state
 * @param {Random} random
 * @param {readonly number[]} recruiterIds
 * @returns {Omit<Opportunity, 'id'>}
 */
function planVacancy(state, random, recruiterIds) {
  const field = random.between(0, fields.length - 1);
  const { roles, department, hasLevels } = fields[field];
  const level = hasLevels ? random.between(0, levels.length - 1) : 1;
  const [location, currency] = random.pick(offices);
  const openings = random.chance(0.8) ? 1 : random.between(2, 5);
  const life = lifeOf('vacancy', state, random);
  const isFilled = life.moves.some(({ to }) => to === 'filled');
  return {
    kind: 'vacancy',
    state,
    ...life,
    ownerId: random.pick(recruiterIds),
    field,
    title: `${levels[level][0]}${random.pick(roles)}`,
    department,
    location,
    currency,
    closesAt: closingOf(life, random),
    openings,
    hires: isFilled ? openings : state === 'open' ? openings - 1 : 0,
    popularity: 0.4 + 3 * random.smallFloat(),
    level,
    time: null,
  };
}

/**
 * Plans an event that ends in this state.
 * @param {string} state
 * @param {Random} random
 * @param {readonly number[]} recruiterIds
 * @returns {Omit<Opportunity, 'id'>}
 */
function planEvent(state, random, recruiterIds) {
  const isOver = state === 'completed' || state === 'archived';
  const day = startOfDay(isOver ? NOW - random.between(100, 400) * DAY : NOW + random.between(12, 90) * DAY);
  const startsAt = day + random.between(9, 18) * HOUR;
  const time = { startsAt, endsAt: startsAt + random.between(2, 7) * HOUR };
  const life = lifeOf('event', state, random, time);
  const [location] = random.pick(offices);
  const field = random.between(0, fields.length - 1);
  return {
    kind: 'event',
    state,
    ...life,
    // Registration ends when the event starts, although its state stays open until it is completed.
    openTimes: life.openTimes.map(({ from, to }) => ({ from, to: Math.min(to, startsAt) })),
    ownerId: random.pick(recruiterIds),
    field,
    title: `${random.pick(eventKinds)} ${location.split(',')[0]}`,
    department: fields[field].department,
    location,
    currency: null,
    closesAt: life.openTimes.length > 0 ? startsAt - DAY : null,
    openings: 1,
    hires: 0,
    popularity: 1 + random.float(),
    level: 1,
    time,
  };
}

/**
 * Builds the moves that lead to a state, backwards from the end of the demo data.
 * @param {'vacancy' | 'event'} kind
 * @param {string} state
 * @param {Random} random
 * @param {{ startsAt: number, endsAt: number }} [time] of an event
 * @returns {Pick<Opportunity, 'createdAt' | 'moves' | 'openTimes' | 'endedAt'>}
 */
function lifeOf(kind, state, random, time) {
  const done = kind === 'vacancy' ? 'filled' : 'completed';
  /** @type {{ to: string, at: number }[]} */
  const moves = [];
  let at = openingOf(state, random, time);
  const createdAt = Math.max(BEGINNING, officeTime(at - random.between(1, 14) * DAY, BEGINNING, random));
  /**
   * Adds a move to the state `to` at the time at which a recruiter does the work that is due at `due`.
   * @param {string} to @param {number} due
   */
  const move = (to, due) => {
    at = officeTime(due, moves.at(-1)?.at ?? createdAt, random);
    moves.push({ to, at });
  };
  if (state !== 'draft' && !(state === 'cancelled' && random.chance(0.3))) {
    move('open', at);
    if (kind === 'vacancy' && at < NOW - 30 * DAY && random.chance(0.08)) pauseAndReopen(move, at, random);
  }
  const end =
    time && time.endsAt < NOW
      ? time.endsAt + DAY
      : at + Math.floor((NOW - 6 * DAY - at) * (0.3 + 0.5 * random.float()));
  if (state === 'on_hold' || state === 'closed' || state === 'cancelled' || state === done) move(state, end);
  if (state === 'archived') {
    move(random.pick([done, done, 'closed', 'cancelled']), time ? end : Math.min(end, NOW - 60 * DAY));
    move('archived', at + random.between(10, 40) * DAY);
  }
  const openTimes = openTimesOf(moves);
  const endedAt = ['open', 'on_hold', 'draft'].includes(state) ? null : at;
  return { createdAt, moves, openTimes, endedAt: state === 'archived' ? moves[moves.length - 2].at : endedAt };
}

/**
 * Draws the time at which an opportunity opens.
 * @param {string} state
 * @param {Random} random
 * @param {{ startsAt: number }} [time]
 */
function openingOf(state, random, time) {
  if (time && time.startsAt < NOW) return time.startsAt - random.between(25, 60) * DAY;
  if (state === 'draft') return NOW - 1 * DAY;
  if (time) return NOW - random.between(20, 60) * DAY;
  if (state === 'open' || state === 'on_hold') return NOW - (12 + Math.floor(150 * random.smallFloat())) * DAY;
  return NOW - random.between(120, 690) * DAY;
}

/**
 * Adds a pause of some days, after which the opportunity opens again.
 * @param {(to: string, due: number) => void} move
 * @param {number} openedAt
 * @param {Random} random
 */
function pauseAndReopen(move, openedAt, random) {
  const pausedAt = openedAt + random.between(3, 6) * DAY;
  move(random.pick(['on_hold', 'closed']), pausedAt);
  move('open', pausedAt + random.between(2, 4) * DAY);
}

/**
 * Returns the periods in which the opportunity was open.
 * @param {readonly { to: string, at: number }[]} moves
 */
function openTimesOf(moves) {
  return moves.flatMap(({ to, at }, index) => (to === 'open' ? [{ from: at, to: moves[index + 1]?.at ?? NOW }] : []));
}

/**
 * Draws the closing date of a vacancy; null for none.
 * @param {Pick<Opportunity, 'endedAt' | 'openTimes'>} life
 * @param {Random} random
 */
function closingOf({ endedAt, openTimes }, random) {
  if (openTimes.length === 0) return null;
  if (endedAt !== null) return random.chance(0.7) ? startOfDay(endedAt) + random.between(0, 14) * DAY : null;
  return random.chance(0.5) ? startOfDay(NOW) + random.between(10, 200) * DAY : null;
}

/**
 * Yields the rows of the table of opportunities.
 * @param {readonly Opportunity[]} opportunities
 * @param {import('./states.mjs').States} states
 */
export function* opportunityRows(opportunities, states) {
  const random = new Random('opportunity rows');
  for (const opportunity of opportunities) {
    const { id, kind, title, department, moves, field, currency, time, openings, openTimes, location } = opportunity;
    random.restart(id);
    const factor = currency
      ? salaryFactors[/** @type {keyof typeof salaryFactors} */ (currency)] * levels[opportunity.level][1]
      : 0;
    const salary =
      currency && random.chance(0.7)
        ? Math.round((fields[field].salary * factor * (0.9 + 0.2 * random.float())) / 500) * 500
        : null;
    const enteredAt = moves.at(-1)?.at ?? opportunity.createdAt;
    yield [
      id,
      random.uuid(),
      timestamp(opportunity.createdAt),
      timestamp(enteredAt),
      kind,
      `OPP-${String(id).padStart(6, '0')}`,
      title,
      states.id('opportunity', opportunity.state),
      timestamp(enteredAt),
      ...richText(
        kind === 'vacancy'
          ? vacancyDescription(title, department, random)
          : `<p>${title}: meet the people of ${department.replaceAll('&', '&amp;')}.</p>`,
      ),
      location,
      department,
      opportunity.ownerId,
      openTimes.length > 0 ? date(openTimes[0].from) : null,
      opportunity.closesAt === null ? null : date(opportunity.closesAt),
      random.some(fields[field].skills, random.between(0, 3)),
      states.process(kind === 'vacancy' ? 'main' : 'event_application'),
      kind === 'vacancy' ? random.pick(employmentTypes) : null,
      openings,
      salary,
      salary === null ? null : Math.round((salary * 1.2) / 500) * 500,
      salary === null ? null : currency,
      time && timestamp(time.startsAt),
      time && timestamp(time.endsAt),
      kind === 'event' ? random.pick(venues) : null,
      kind === 'event' ? random.between(4, 20) * 10 : null,
    ];
  }
}
