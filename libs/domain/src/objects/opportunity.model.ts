import { message, packed } from '@ats/message';
import { z } from 'zod';
import { FORM_VALUES_ERROR_CODES } from './form.model.js';
import { date, datetime, decimal, integer, richText, text, textList } from '../vocabulary/attribute.js';
import { identity, urlBy } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toMany, toOne } from '../vocabulary/relation.js';
import { OPPORTUNITY_STATES, shownState, STATE_ERROR_CODES } from './state.model.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

const optional = { shown: true, nullable: true, write: 'optional' } as const;

/**
 * The properties that vacancies and events share. Vacancies and events share a table, so no vacancy has the id of an
 * event.
 */
const common = {
  ...identity(urlBy('kind', { vacancy: 'vacancies', event: 'events' })),
  kind: text({ shown: true, values: ['vacancy', 'event'] }),
  reference: text({
    shown: true,
    content: 'key',
    write: 'optional',
    keptWhenAbsent: true,
    description: 'A unique text. Defaults to a reference that the service assigns.',
  }),
  title: text({ shown: true, isFolded: true, write: 'required' }),
  state: toOne('state', {
    ...OPPORTUNITY_STATES,
    description: 'The state of the opportunity in its process, and the time when it entered that state.',
    shows: shownState('state', 'state_entered_dt'),
  }),
  state_entered_dt: datetime(),
  description: richText(optional),
  location: text({ ...optional, content: 'fact' }),
  department: text({ ...optional, content: 'fact' }),
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
    description: 'The number of applications in any state.',
    computed: {
      readsOtherRows: true,
      sql: (alias) => `(SELECT count(*) FROM applications counted WHERE counted.opportunity_id = ${alias}.id)`,
      memory: ({ applications }) => (Array.isArray(applications) ? applications.length : 0),
    },
  }),
  process: toOne('process', {
    shows: ['id', 'name'],
    description: 'The process of the applications to this opportunity.',
  }),
  scoring_rules: toMany('scoring_rule', 'opportunity_id', {
    shows: ['expression', 'points'],
    write: 'optional',
    description:
      'The `score` of an application is the sum of the points of the rules whose condition holds. ' +
      'Scores change when they are computed again.',
  }),
};

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: packed(message`expected a currency as three capital letters (ISO 4217)`) });

const ofVacancies = {
  employment_type: text({ ...optional, content: 'fact' }),
  openings: integer({ shown: true, write: 'optional', minimum: 0, description: 'The number of people to hire.' }),
  salary_min: decimal({ ...optional, minimum: 0, fitsDouble: true }),
  salary_max: decimal({ ...optional, minimum: 0, fitsDouble: true }),
  salary_currency: text({
    ...optional,
    content: 'code',
    schema: currency.nullable(),
    description: 'Three capital letters (ISO 4217).',
  }),
};

const ofEvents = {
  // These columns are nullable in the table, because vacancies have no start and end.
  start_dt: datetime({ shown: true, write: 'required', isRequired: false }),
  end_dt: datetime({ shown: true, write: 'required', isRequired: false }),
  venue: text({ ...optional, content: 'fact' }),
  capacity: integer({ ...optional, minimum: 0, description: 'The maximum number of participants.' }),
};

const errorCodes = {
  in_use: 'the vacancy or event has applications and cannot be deleted',
  ...FORM_VALUES_ERROR_CODES,
  ...STATE_ERROR_CODES,
};
const uniques = { uq_opportunities_reference: '/reference' };

/**
 * A vacancy or an event. An application belongs to an opportunity, and expressions about either kind begin with this
 * object type.
 */
export const opportunity = objectType({
  name: 'opportunity',
  table: 'opportunities',
  isSmall: true,
  hasFormData: true,
  scopes: ['vacancies', 'events'],
  // These properties are optional, because a vacancy has no start and end.
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
    text: `Events for candidates, such as open days and fairs. Vacancies and events share one id sequence: an id
names either a vacancy or an event.`,
  },
});

export const vacancyEvents = eventsOf('vacancy', {
  VACANCY_CREATE: { on: 'create', text: message`A vacancy was created.` },
  VACANCY_UPDATE: { on: 'update', text: message`Properties of a vacancy changed.` },
  VACANCY_DELETE: { on: 'delete', text: message`A vacancy was deleted.` },
});

/** The event types for opportunities of the kind event, such as job fairs. */
export const eventEvents = eventsOf('event', {
  EVENT_CREATE: { on: 'create', text: message`An event was created.` },
  EVENT_UPDATE: { on: 'update', text: message`Properties of an event changed.` },
  EVENT_DELETE: { on: 'delete', text: message`An event was deleted.` },
});
