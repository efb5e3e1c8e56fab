// @ts-check
import { applicationPasts, applicationRows } from './applications.mjs';
import { addressRows, candidatePasts, candidateRows, emailRows, phoneRows, urlRows } from './candidates.mjs';
import { historyRows, opportunityPasts, postingPasts } from './history.mjs';
import { FIRST_ID } from './ids.mjs';
import { opportunityRows, planOpportunities } from './opportunities.mjs';
import { makePlan } from './plan.mjs';
import { boardRows, planPostings, postingRows } from './postings.mjs';
import { recruiterIds, recruiterRows } from './recruiters.mjs';

/**
 * A table with its rows, each an array of values in the order of `columns`.
 * @typedef {object} Table
 * @property {string} name
 * @property {string} columns
 * @property {() => Iterable<import('./copy.mjs').Row>} rows
 */

const common = 'id, uuid, created_dt, updated_dt';
const users = `${common}, type, status, language, firstname, lastname, email, title, preferred_name, date_of_birth, current_employer, current_title, source, tags, job_title, is_active`;

/**
 * The demo data, in the order in which it can be written.
 * @param {import('./options.mjs').Sizes} sizes
 * @param {import('./states.mjs').States} states
 * @returns {Table[]}
 */
export function demoTables(sizes, states) {
  const opportunities = planOpportunities(sizes, recruiterIds(sizes.recruiters - 1));
  const postings = planPostings(opportunities);
  const plan = makePlan(sizes, opportunities);
  const firstCandidateId = FIRST_ID + sizes.recruiters;
  const demo = { plan, opportunities, postingsOf: byVacancy(postings), states, firstCandidateId };
  return [
    {
      name: 'users',
      columns: users,
      *rows() {
        yield* recruiterRows(sizes.recruiters);
        yield* candidateRows(plan, firstCandidateId);
      },
    },
    { name: 'candidate_emails', columns: 'id, user_id, position, label, address', rows: () => emailRows(plan, firstCandidateId) },
    {
      name: 'candidate_addresses',
      columns: 'id, user_id, position, label, address_line, city, region, postal_code, country_code',
      rows: () => addressRows(plan, firstCandidateId),
    },
    { name: 'candidate_phones', columns: 'id, user_id, position, label, number', rows: () => phoneRows(plan, firstCandidateId) },
    { name: 'candidate_urls', columns: 'id, user_id, position, label, address', rows: () => urlRows(plan, firstCandidateId) },
    {
      name: 'opportunities',
      columns: `${common}, kind, reference, title, state_id, state_entered_dt, description, description_plain, location, department, owner_id, opening_date, closing_date, tags, process_id, employment_type, openings, salary_min, salary_max, salary_currency, start_dt, end_dt, venue, capacity`,
      rows: () => opportunityRows(opportunities, states),
    },
    { name: 'job_boards', columns: `${common}, name, code, is_internal, is_active, base_url`, rows: boardRows },
    {
      name: 'postings',
      columns: `${common}, title, description, description_plain, is_withdrawn, opening_date, closing_date, job_board_id, vacancy_id, location, method`,
      rows: () => postingRows(postings),
    },
    {
      name: 'applications',
      columns: `${common}, app_type, reference, opportunity_id, user_id, posting_id, state_id, state_entered_dt, outcome, is_live, source, score, tags, rating, submitted_dt, hired_dt, rejected_dt, withdrawn_dt`,
      rows: () => applicationRows(demo),
    },
    {
      name: 'history_entries',
      columns: 'id, subject_type, subject_id, type, date, recruiter_id, from_state_id, to_state_id, comment, changes',
      rows: () => historyRows([opportunityPasts(opportunities, states), postingPasts(postings), candidatePasts(plan, firstCandidateId), applicationPasts(demo)]),
    },
  ];
}

/** @param {readonly import('./postings.mjs').Posting[]} postings */
function byVacancy(postings) {
  /** @type {Map<number, import('./postings.mjs').Posting[]>} */
  const groups = new Map();
  for (const posting of postings) groups.set(posting.vacancy.id, [...(groups.get(posting.vacancy.id) ?? []), posting]);
  return groups;
}
