// @ts-check
import { applicationPasts, applicationRows, firstApplications } from './applications.mjs';
import { MINUTE } from './calendar.mjs';
import {
  addressRows,
  candidatePasts,
  candidateRows,
  contactReader,
  emailRows,
  phoneRows,
  urlRows,
} from './candidates.mjs';
import { formValueRows, submissions } from './form-values.mjs';
import { formRows, itemRows, optionRows, sectionRows } from './forms.mjs';
import { historyRows, opportunityPasts, pastsOf, postingPasts } from './history.mjs';
import { FIRST_ID } from './ids.mjs';
import { communicationRows, sendings, templateRows } from './messages.mjs';
import { opportunityRows, planOpportunities } from './opportunities.mjs';
import { makePlan } from './plan.mjs';
import { boardRows, planPostings, postingRows } from './postings.mjs';
import { recruiterIds, recruiterRows } from './recruiters.mjs';

/**
 * A table with its rows. Each row is an array of values in the order of `columns`.
 * @typedef {object} Table
 * @property {string} name
 * @property {string} columns
 * @property {() => Iterable<import('./copy.mjs').Row>} rows
 */

const common = 'id, uuid, created_dt, updated_dt';
const users = `${common}, type, status, language, firstname, lastname, email, title, preferred_name, date_of_birth, current_employer, current_title, source, tags, job_title, is_active`;

const values =
  'owner_id, item_id, text_value, long_value, rich_value, rich_value_plain, number_value, boolean_value, option_values, option_ids';

/**
 * Returns the tables of the demo data, each after the tables that it references.
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
  const { owners, reasons } = filledIn(demo);
  return [
    {
      name: 'users',
      columns: users,
      *rows() {
        yield* recruiterRows(sizes.recruiters);
        yield* candidateRows(plan, firstCandidateId);
      },
    },
    {
      name: 'candidate_emails',
      columns: 'id, user_id, position, label, address',
      rows: () => emailRows(plan, firstCandidateId),
    },
    {
      name: 'candidate_addresses',
      columns: 'id, user_id, position, label, address_line, city, region, postal_code, country_code',
      rows: () => addressRows(plan, firstCandidateId),
    },
    {
      name: 'candidate_phones',
      columns: 'id, user_id, position, label, number',
      rows: () => phoneRows(plan, firstCandidateId),
    },
    {
      name: 'candidate_urls',
      columns: 'id, user_id, position, label, address',
      rows: () => urlRows(plan, firstCandidateId),
    },
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
      rows: () =>
        historyRows([
          opportunityPasts(opportunities, states),
          postingPasts(postings),
          candidatePasts(plan, firstCandidateId),
          applicationPasts(demo),
          pastsOf([...submissions(owners), ...sendings(reasons)]),
        ]),
    },
    { name: 'forms', columns: `${common}, name, resource`, rows: formRows },
    { name: 'form_sections', columns: 'id, form_id, position, name', rows: sectionRows },
    { name: 'form_items', columns: 'id, section_id, position, key, label, type, min, max', rows: itemRows },
    { name: 'form_options', columns: 'id, item_id, position, value, label', rows: optionRows },
    { name: 'application_form_values', columns: values, rows: () => formValueRows(owners, 'application') },
    { name: 'opportunity_form_values', columns: values, rows: () => formValueRows(owners, 'opportunity') },
    { name: 'message_templates', columns: `${common}, name, type, subject, body, body_plain`, rows: templateRows },
    {
      name: 'communications',
      columns: `${common}, type, direction, status, subject, body, body_plain, to_addresses, application_id, user_id, author_id, template_id, sent_dt, failed_reason`,
      rows: () => communicationRows(reasons),
    },
  ];
}

/**
 * `vacancy` and `event` are the numbers of applications to vacancies and to events that get form values and messages.
 * `opportunities` is the number of opportunities of each kind that get form values.
 */
const FILLED_IN = { vacancy: 60, event: 20, opportunities: 30 };

/**
 * Picks applications and opportunities for form values, and applications for messages.
 * @param {import('./applications.mjs').Demo} demo
 */
function filledIn(demo) {
  const contactOf = contactReader();
  const applications = /** @type {const} */ (['vacancy', 'event']).flatMap((kind) =>
    firstApplications(demo, kind, FILLED_IN[kind]),
  );
  const opportunities = demo.opportunities.filter(
    ({ createdAt, moves }) => moves.length > 0 && moves[0].at - createdAt > 10 * MINUTE,
  );
  const some = /** @type {const} */ (['vacancy', 'event']).flatMap((kind) =>
    opportunities.filter((opportunity) => opportunity.kind === kind).slice(0, FILLED_IN.opportunities),
  );
  /** @type {import('./form-values.mjs').Owner[]} */
  const owners = [
    ...applications.map(({ id, at, opportunity: { kind } }) => ({
      resource: kind === 'vacancy' ? 'applications' : 'event_applications',
      id,
      subjectType: /** @type {const} */ ('application'),
      at: at + MINUTE,
      by: null,
    })),
    ...some.map(({ id, kind, createdAt, ownerId }) => ({
      resource: kind === 'vacancy' ? 'vacancies' : 'events',
      id,
      subjectType: /** @type {const} */ ('opportunity'),
      at: createdAt + MINUTE,
      by: ownerId,
    })),
  ];
  const reasons = applications.map(({ id, at, userId, candidate, opportunity: { title, ownerId } }) => ({
    applicationId: id,
    userId,
    authorId: ownerId,
    at: at + 10 * MINUTE,
    title,
    contact: contactOf(candidate),
  }));
  return { owners, reasons };
}

/**
 * Groups postings by the id of their vacancy.
 * @param {readonly import('./postings.mjs').Posting[]} postings
 */
function byVacancy(postings) {
  /** @type {Map<number, import('./postings.mjs').Posting[]>} */
  const groups = new Map();
  for (const posting of postings) groups.set(posting.vacancy.id, [...(groups.get(posting.vacancy.id) ?? []), posting]);
  return groups;
}
