import { FORM_VALUES_ERROR_CODES } from './form.model.js';
import { datetime, decimal, id, integer, text, textList, type NamedAttribute } from '../vocabulary/attribute.js';
import { identity, urlBy } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, joined, toOne } from '../vocabulary/relation.js';
import { STATE_ERROR_CODES } from './state.model.js';
import { resource } from '../vocabulary/resource.js';

const OUTCOMES = ['pending', 'hired', 'declined', 'withdrawn', 'attended', 'no_show'] as const;
const DAY_MS = 86_400_000;

/** Whole days from a moment of the object until now, which a transaction may have begun before; null when it has not come. */
const daysSince = (column: string): NamedAttribute =>
  integer({
    nullable: true,
    computed: {
      sql: (alias) =>
        `floor(extract(epoch FROM greatest(now(), ${alias}.${column}) - ${alias}.${column}) / 86400)::integer`,
      memory: (object, { now }) => {
        const since = object[column];
        return since === null || since === undefined
          ? null
          : Math.max(0, Math.floor((now.getTime() - new Date(since as string | Date).getTime()) / DAY_MS));
      },
    },
  });

export const application = objectType({
  name: 'application',
  table: 'applications',
  searchText: 'search_text',
  label: 'reference',
  hasFormData: true,
  scopes: ['applications'],
  errorCodes: {
    opportunity_not_open: 'the opportunity does not take applications in its present state',
    ...FORM_VALUES_ERROR_CODES,
    anonymised: 'the candidate is anonymised and stays as it is',
    ...STATE_ERROR_CODES,
  },
  properties: {
    ...identity(
      urlBy('app_type', { vacancy_application: 'vacancy_applications', event_application: 'event_applications' }),
    ),
    app_type: text({ shown: true, values: ['vacancy_application', 'event_application'] }),
    reference: text({ shown: true, description: 'A number for people; the service gives it.' }),
    opportunity_id: id({ shown: true }),
    opportunity: toOne('opportunity', {
      shows: ['id', 'url', 'kind', 'title*'],
      write: 'required',
      description: 'The vacancy or event that the application is for.',
    }),
    user: toOne('user', {
      shows: ['id', 'url', 'firstname*', 'lastname*', 'email*'],
      write: 'required',
      description: 'Who applies: the candidate as a user, under the same id.',
    }),
    candidate: toOne('candidate', { column: 'user_id', shows: ['id', 'url'] }),
    posting: toOne('posting', {
      shows: ['id', 'url'],
      nullable: true,
      write: 'optional',
      description: 'The posting that led here.',
    }),
    main_process_state: embedded('process_state', {
      pointer: 'process_state',
      description: 'Where the application stands in its process, and since when.',
      shows: {
        state: 'main_process_state.state.state',
        state_id: 'main_process_state.state.id',
        name: 'main_process_state.state.name',
        phase: 'main_process_state.state.phase',
        entered_dt: 'main_process_state.entered_dt',
      },
    }),
    outcome: text({
      shown: true,
      values: OUTCOMES,
      description: 'What came of it, by its state; `pending` until then.',
    }),
    source: text({
      shown: true,
      nullable: true,
      write: 'optional',
      description: 'Where the candidate comes from, in your words.',
    }),
    score: decimal({
      shown: true,
      nullable: true,
      description:
        'The points of the opportunity’s scoring rules that held when it was computed last; null without rules.',
    }),
    tags: textList({ shown: true, personal: true, write: 'optional' }),
    rating: integer({ shown: true, nullable: true, write: 'optional', minimum: 1, maximum: 5 }),
    submitted_dt: datetime({ shown: true, nullable: true }),
    hired_dt: datetime({ shown: true, nullable: true }),
    rejected_dt: datetime({ shown: true, nullable: true, description: 'Null again after a reopening.' }),
    withdrawn_dt: datetime({ shown: true, nullable: true, description: 'Null again after a reopening.' }),
    copied_from: toOne('application', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The application that this is a copy of.',
    }),
    vacancy: joined('vacancy', { key: 'opportunity_id', where: (to) => `${to}.kind = 'vacancy'` }),
    event: joined('event', { key: 'opportunity_id', where: (to) => `${to}.kind = 'event'` }),
    age_days: daysSince('submitted_dt'),
    days_in_state: daysSince('state_entered_dt'),
  },
  uniques: { uq_applications_live: '/opportunity_id' },
  privateColumns: {
    state_id: { type: 'bigint' },
    state_entered_dt: { type: 'timestamptz' },
    is_live: { type: 'boolean' },
  },
});

/** Applications to vacancies. The two kinds share a table and everything but their paths. CONTRACT.md 11. */
export const applications = resource({
  name: 'applications',
  type: application,
  describe: {
    group: 'Recruitment',
    title: 'Applications',
    text: 'Applications of candidates to vacancies, with their current process state.',
  },
  paths: ['vacancy_applications', 'applications'],
  fixed: { app_type: 'vacancy_application' },
  leadsTo: { opportunity: 'vacancy' },
});

/** Applications to events. */
export const eventApplications = resource({
  name: 'event_applications',
  type: application,
  describe: {
    group: 'Recruitment',
    title: 'Event applications',
    text: 'Registrations of candidates for events. Only their process differs from that of applications.',
  },
  paths: ['event_applications', 'event_registrations'],
  scope: 'applications',
  fixed: { app_type: 'event_application' },
  leadsTo: { opportunity: 'event' },
});
