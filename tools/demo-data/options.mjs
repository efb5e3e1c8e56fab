// @ts-check
import { parseArgs } from 'node:util';
import { PlainError } from '../workspace.mjs';

const usage = `usage: npm run seed [-- --applications N [--candidates N] [--vacancies N]]
Inserts demo data into the database of DATABASE_URL: about 3,000 applications by default.
Does nothing when the database has demo data. With --if-empty it also does nothing when the database has candidates,
vacancies or events of its own.`;

/**
 * @typedef {object} Sizes
 * @property {number} applications number of applications to vacancies
 * @property {number} registrations number of applications to events
 * @property {number} candidates
 * @property {number} vacancies
 * @property {number} events
 * @property {number} recruiters
 */

/**
 * Reads the options of `npm run seed`.
 * @param {readonly string[]} args
 * @returns {{ sizes: Sizes, onlyIfEmpty: boolean }}
 */
export function readOptions(args) {
  const number = /** @type {const} */ ({ type: 'string' });
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { applications: number, candidates: number, vacancies: number, 'if-empty': { type: 'boolean' } },
    }));
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
  const count = (/** @type {'applications' | 'candidates' | 'vacancies'} */ name) => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,7}$/.test(text))
      throw new PlainError(`--${name} must be a whole number from 1 to 99999999.\n${usage}`);
    return Number(text);
  };
  return {
    sizes: sizesOf(count('applications'), count('candidates'), count('vacancies')),
    onlyIfEmpty: values['if-empty'] ?? false,
  };
}

/**
 * Derives missing options from the number of applications.
 * @param {number} [applications]
 * @param {number} [candidates]
 * @param {number} [vacancies]
 * @returns {Sizes}
 */
export function sizesOf(applications, candidates, vacancies) {
  const isDefault = applications === undefined;
  applications ??= 3_000;
  candidates ??= isDefault ? 1_500 : Math.max(100, Math.ceil(applications / 5));
  // At most this share of all pairs of a candidate and a vacancy can become applications. Some candidates never apply,
  // some vacancies are never open, and no candidate applies to all vacancies.
  const share = 1 / 8;
  vacancies ??= isDefault
    ? 60
    : Math.max(20, Math.ceil(applications / 200), Math.ceil(applications / candidates / share));
  const most = Math.floor(candidates * vacancies * share);
  if (applications > most) {
    throw new PlainError(
      `${candidates} candidates and ${vacancies} vacancies allow at most ${most} realistic applications: ` +
        'pass more --candidates or --vacancies.',
    );
  }
  const events = Math.max(10, Math.round(vacancies / 50));
  const registrations = Math.min(events * 40, Math.floor((candidates * events) / 30));
  return {
    applications,
    registrations,
    candidates,
    vacancies,
    events,
    recruiters: Math.max(8, Math.ceil(vacancies / 100)),
  };
}
