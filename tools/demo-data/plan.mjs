// @ts-check
import { DAY, NOW } from './calendar.mjs';
import { Random } from './random.mjs';

/** @typedef {import('./opportunities.mjs').Opportunity} Opportunity */

/**
 * The plan of all applications in the order of time. It needs 15 bytes per application and 9 per candidate. When a row
 * is written, its values are generated from these numbers.
 *
 * @typedef {object} Plan
 * @property {Float64Array} times of applications
 * @property {Uint16Array | Uint32Array} opportunities index of each application's opportunity
 * @property {Int32Array} applicants index of each application's candidate
 * @property {Uint8Array} isHire
 * @property {Float64Array} arrivals of candidates: time of their first application or registration
 * @property {Uint8Array} fields field of work of each candidate
 */

/** The shortest time between a hired application and the end of its vacancy. */
const HIRE_TAKES = 20 * DAY;

/**
 * Plans all applications.
 * @param {import('./options.mjs').Sizes} sizes
 * @param {readonly Opportunity[]} opportunities
 * @returns {Plan}
 */
export function makePlan(sizes, opportunities) {
  const { times, targets } = planArrivals(sizes, opportunities);
  const { applicants, arrivals, fields } = planApplicants(sizes, opportunities, times, targets);
  return {
    times,
    opportunities: targets,
    applicants,
    isHire: planHires(opportunities, times, targets),
    arrivals,
    fields,
  };
}

/**
 * Distributes the applications among the opportunities by their open time and popularity, and sorts them by time.
 * @param {import('./options.mjs').Sizes} sizes
 * @param {readonly Opportunity[]} opportunities
 */
function planArrivals(sizes, opportunities) {
  const random = new Random('arrivals');
  const keys = new Float64Array(sizes.applications + sizes.registrations);
  let count = 0;
  for (const [kind, wanted] of /** @type {const} */ ([
    ['vacancy', sizes.applications],
    ['event', sizes.registrations],
  ])) {
    const open = opportunities.flatMap((opportunity, index) =>
      opportunity.kind === kind && opportunity.openTimes.length > 0 ? [{ opportunity, index }] : [],
    );
    const weightOf = (/** @type {Opportunity} */ { popularity, openTimes }) =>
      popularity * Math.sqrt(openDays(openTimes));
    const total = open.reduce((sum, { opportunity }) => sum + weightOf(opportunity), 0);
    const first = count;
    let weight = 0;
    for (const { opportunity, index } of open) {
      weight += weightOf(opportunity);
      const last = first + Math.round((weight / total) * wanted);
      // One number contains the time and the opportunity, so that sorting is fast and in place.
      for (random.restart(index); count < last; count++)
        keys[count] = momentIn(opportunity.openTimes, random) * opportunities.length + index;
    }
  }
  keys.sort();
  const targets = new (opportunities.length < 65_536 ? Uint16Array : Uint32Array)(count);
  for (let application = 0; application < count; application++) {
    const key = keys[application];
    keys[application] = Math.floor(key / opportunities.length);
    targets[application] = key - keys[application] * opportunities.length;
  }
  return { times: keys, targets };
}

/**
 * Returns the total number of days in the periods.
 * @param {Opportunity['openTimes']} openTimes
 */
const openDays = (openTimes) => openTimes.reduce((sum, { from, to }) => sum + (to - from) / DAY, 0);

/**
 * Draws a time; most applications come soon after the opening.
 * @param {Opportunity['openTimes']} openTimes
 * @param {Random} random
 */
function momentIn(openTimes, random) {
  let point = (random.chance(0.5) ? random.smallFloat() : random.float()) * openDays(openTimes) * DAY;
  for (const { from, to } of openTimes) {
    if (point < to - from) return from + Math.floor(point);
    point -= to - from;
  }
  return openTimes[openTimes.length - 1].to - 1;
}

/**
 * Assigns each application to a new candidate or to an earlier applicant, preferring recent applicants of the same
 * field. No candidate applies twice to the same opportunity. Candidates are numbered by the time of their first
 * application.
 * @param {import('./options.mjs').Sizes} sizes
 * @param {readonly Opportunity[]} opportunities
 * @param {Plan['times']} times
 * @param {Plan['opportunities']} targets
 */
function planApplicants(sizes, opportunities, times, targets) {
  const random = new Random('applicants');
  const count = times.length;
  const applicants = new Int32Array(count);
  const arrivals = new Float64Array(sizes.candidates).fill(NOW - DAY);
  const fields = new Uint8Array(sizes.candidates);
  const latest = new Int32Array(sizes.candidates).fill(-1);
  const earlier = new Int32Array(count).fill(-1);
  /** @type {number[][]} */
  const byField = [];
  let known = 0;
  let idle = Math.round(sizes.candidates * 0.05);
  const arrive = (/** @type {number} */ field, /** @type {number} */ at) => {
    arrivals[known] = at;
    fields[known] = field;
    return known++;
  };
  const hasApplied = (/** @type {number} */ candidate, /** @type {number} */ target) => {
    for (let application = latest[candidate]; application >= 0; application = earlier[application])
      if (targets[application] === target) return true;
    return false;
  };
  const findKnown = (/** @type {number} */ target, /** @type {readonly number[]} */ colleagues) => {
    for (let tries = 0; tries < 20; tries++) {
      const isColleague = colleagues.length > 0 && random.chance(0.85);
      const back = Math.floor(random.smallFloat() * (isColleague ? colleagues.length : known));
      const candidate = isColleague ? colleagues[colleagues.length - 1 - back] : known - 1 - back;
      if (latest[candidate] >= 0 && !hasApplied(candidate, target)) return candidate;
    }
    return -1;
  };
  for (let application = 0; application < count; application++) {
    const target = targets[application];
    const { field } = opportunities[target];
    const colleagues = (byField[field] ??= []);
    const left = count - application;
    if (idle > 0 && random.float() * left < idle) {
      arrive(random.between(0, 11), times[application]);
      idle--;
    }
    const wanted = sizes.candidates - known - idle;
    let candidate = known > 0 && random.float() * left >= wanted ? findKnown(target, colleagues) : -1;
    if (candidate < 0 && wanted > 0) {
      candidate = arrive(random.chance(0.9) ? field : random.between(0, 11), times[application]);
      (byField[fields[candidate]] ??= []).push(candidate);
    }
    for (let other = 0; candidate < 0 && other < known; other++) if (!hasApplied(other, target)) candidate = other;
    if (candidate < 0)
      throw new Error(
        'the demo data has too few candidates for this number of applications: pass a larger --candidates',
      );
    applicants[application] = candidate;
    earlier[application] = latest[candidate];
    latest[candidate] = application;
  }
  while (known < sizes.candidates) arrive(random.between(0, 11), NOW - DAY);
  return { applicants, arrivals, fields };
}

/**
 * Chooses the hired applications of each vacancy, all with the same probability.
 * @param {readonly Opportunity[]} opportunities
 * @param {Plan['times']} times
 * @param {Plan['opportunities']} targets
 */
function planHires(opportunities, times, targets) {
  const random = new Random('hires');
  const isHire = new Uint8Array(times.length);
  const wanted = Int32Array.from(opportunities, ({ hires }) => hires);
  const isInTime = (/** @type {number} */ application) =>
    times[application] <= (opportunities[targets[application]].endedAt ?? NOW) - HIRE_TAKES;
  const left = new Int32Array(opportunities.length);
  for (let application = 0; application < times.length; application++)
    if (isInTime(application)) left[targets[application]]++;
  for (let application = 0; application < times.length; application++) {
    const target = targets[application];
    if (wanted[target] === 0 || !isInTime(application)) continue;
    if (random.float() * left[target]-- >= wanted[target]) continue;
    isHire[application] = 1;
    wanted[target]--;
  }
  return isHire;
}
