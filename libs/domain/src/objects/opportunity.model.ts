import { message, packed } from '@ats/message';
import { z } from 'zod';
import { FORM_VALUES_ERROR_CODES } from './form.model.js';
import { date, datetime, decimal, integer, richText, text, textList } from '../vocabulary/attribute.js';
import { identity, urlBy } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toMany, toOne } from '../vocabulary/relation.js';
import { STATE_ERROR_CODES } from './state.model.js';
import { resource } from '../vocabulary/resource.js';

const optional = { shown: true, nullable: true, write: 'optional' } as const;

/** What vacancies and events have in common. They share one table, so their ids are unique across both. */
const common = {
  ...identity(urlBy('kind', { vacancy: 'vacancies', event: 'events' })),
  kind: text({ shown: true, values: ['vacancy', 'event'] }),
  reference: text({
    shown: true,
    write: 'optional',
    keptWhenAbsent: true,
    description: 'Unique. The service gives one when you do not.',
  }),
  title: text({ shown: true, isFolded: true, write: 'required' }),
  state: toOne('state', {
    description: 'Where it stands in its own process, and since when.',
    shows: {
      state: 'state.state',
      state_id: 'state.id',
      name: 'state.name',
      phase: 'state.phase',
      entered_dt: 'state_entered_dt',
    },
  }),
  state_entered_dt: datetime(),
  description: richText(optional),
  location: text(optional),
  department: text(optional),
  owner: toOne('recruiter', {
    shows: ['id', 'url'],
    nullable: true,
    write: 'optional',
    description: 'The recruiter in charge.',
  }),
  opening_date: date(optional),
  closing_date: date(optional),
  tags: textList({ shown: true, write: 'optional' }),
  system: toOne('system', { shows: ['id', 'url'] }),
  application_count: integer({
    shown: true,
    description: 'Applications in any state.',
    computed: {
      sql: (alias) => `(SELECT count(*) FROM applications counted WHERE counted.opportunity_id = ${alias}.id)`,
      memory: ({ applications }) => (Array.isArray(applications) ? applications.length : 0),
    },
  }),
  process: toOne('process', { shows: ['id', 'name'], description: 'The process that its applications go through.' }),
  scoring_rules: toMany('scoring_rule', 'opportunity_id', {
    shows: ['expression', 'points'],
    write: 'optional',
    description:
      'What makes the `score` of its applications: the sum of the points of the rules whose condition holds. Scores change when they are computed anew.',
  }),
};

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: packed(message`expected a currency as three capital letters (ISO 4217)`) });

const ofVacancies = {
  employment_type: text(optional),
  openings: integer({ shown: true, write: 'optional', minimum: 0, description: 'How many people are looked for.' }),
  salary_min: decimal({ ...optional, minimum: 0 }),
  salary_max: decimal({ ...optional, minimum: 0 }),
  salary_currency: text({ ...optional, schema: currency.nullable(), description: 'Three capital letters (ISO 4217).' }),
};

const ofEvents = {
  // Of the table's other kind they are null.
  start_dt: datetime({ shown: true, write: 'required', isRequired: false }),
  end_dt: datetime({ shown: true, write: 'required', isRequired: false }),
  venue: text(optional),
  capacity: integer({ ...optional, minimum: 0, description: 'How many people can take part.' }),
};

const errorCodes = {
  in_use: 'it has applications and cannot be deleted',
  ...FORM_VALUES_ERROR_CODES,
  ...STATE_ERROR_CODES,
};
const uniques = { uq_opportunities_reference: '/reference' };

/** Either kind: the root of expressions on opportunities, and what an application is for. */
export const opportunity = objectType({
  name: 'opportunity',
  table: 'opportunities',
  isSmall: true,
  hasFormData: true,
  scopes: ['vacancies', 'events'],
  // A vacancy has no time of day.
  properties: { ...common, ...ofVacancies, ...ofEvents, start_dt: datetime(optional), end_dt: datetime(optional) },
});

export const vacancy = objectType({
  name: 'vacancy',
  table: 'opportunities',
  searchText: 'vacancy_search_text',
  isSmall: true,
  hasFormData: true,
  scopes: ['vacancies'],
  errorCodes,
  fixed: { kind: 'vacancy' },
  properties: { ...common, ...ofVacancies },
  uniques,
});

export const event = objectType({
  name: 'event',
  table: 'opportunities',
  searchText: 'event_search_text',
  isSmall: true,
  hasFormData: true,
  scopes: ['events'],
  errorCodes,
  fixed: { kind: 'event' },
  properties: { ...common, ...ofEvents },
  uniques,
});

export const vacancies = resource({
  name: 'vacancies',
  type: vacancy,
  describe: {
    group: 'Recruitment',
    title: 'Vacancies',
    text: 'Jobs to fill. Vacancies and events share one id sequence: an id names either a vacancy or an event.',
  },
});
export const events = resource({
  name: 'events',
  type: event,
  describe: {
    group: 'Recruitment',
    title: 'Events',
    text: `Open days, fairs and similar. Vacancies and events share one id sequence: an id names either
a vacancy or an event.`,
  },
});
