import { message } from '@ats/message';
import { FORM_VALUES_ERROR_CODES } from './form.model.js';
import { datetime, decimal, id, integer, text, textList, type NamedAttribute } from '../vocabulary/attribute.js';
import { identity, urlBy } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, joined, referring, toOne } from '../vocabulary/relation.js';
import { OUTCOMES, shownState, STATE_ERROR_CODES } from './state.model.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

const DAY_MS = 86_400_000;

/**
 * The number of whole days since the time in `column`, or null when the column is null. The number is never negative,
 * although the time can be later than `now()`, which is the start of the transaction.
 */
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
    opportunity_not_open: 'the opportunity does not accept applications in its current state',
    ...FORM_VALUES_ERROR_CODES,
    form_hidden: 'the form takes no values in the request that creates an application',
    anonymised: 'the candidate is anonymised and cannot be changed',
    ...STATE_ERROR_CODES,
  },
  properties: {
    ...identity(
      urlBy('app_type', { vacancy_application: 'vacancy_applications', event_application: 'event_applications' }),
    ),
    app_type: text({ shown: true, values: ['vacancy_application', 'event_application'] }),
    reference: text({ shown: true, description: 'A readable reference number that the service assigns.' }),
    opportunity_id: id({ shown: true }),
    opportunity: toOne('opportunity', {
      shows: ['id', 'url', 'kind', 'title*'],
      write: 'required',
      description: 'The vacancy or event of the application.',
    }),
    user: toOne('user', {
      shows: ['id', 'url', 'firstname*', 'lastname*', 'email*'],
      write: 'required',
      description: 'The user of the candidate, with the same id.',
    }),
    candidate: toOne('candidate', { column: 'user_id', shows: ['id', 'url'] }),
    posting: toOne('posting', {
      shows: ['id', 'url'],
      nullable: true,
      write: 'optional',
      description: 'The posting through which the candidate applied.',
    }),
    main_process_state: embedded('process_state', {
      pointer: 'process_state',
      description: 'The state of the application in its process, and the time when it entered that state.',
      shows: shownState('main_process_state.state', 'main_process_state.entered_dt'),
    }),
    outcome: text({
      shown: true,
      values: OUTCOMES,
      description: 'The result, which follows from the state; `pending` until there is a result.',
    }),
    source: text({
      shown: true,
      personal: true,
      nullable: true,
      write: 'optional',
      description: 'The origin of the candidate, as free text.',
    }),
    score: decimal({
      fitsDouble: true,
      shown: true,
      nullable: true,
      description:
        'The sum of the points of the scoring rules that held when the score was last computed; null without rules.',
    }),
    tags: textList({ shown: true, personal: true, write: 'optional' }),
    rating: integer({ shown: true, nullable: true, write: 'optional', minimum: 1, maximum: 5 }),
    submitted_dt: datetime({ shown: true, nullable: true }),
    hired_dt: datetime({ shown: true, nullable: true }),
    rejected_dt: datetime({
      shown: true,
      nullable: true,
      description: 'Time of the rejection; null after the application is reopened.',
    }),
    withdrawn_dt: datetime({
      shown: true,
      nullable: true,
      description: 'Time of the withdrawal; null after the application is reopened.',
    }),
    copied_from: toOne('application', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The application from which this one was copied.',
    }),
    vacancy: joined('vacancy', { key: 'opportunity_id', where: (to) => `${to}.kind = 'vacancy'` }),
    event: joined('event', { key: 'opportunity_id', where: (to) => `${to}.kind = 'event'` }),
    documents: referring('document', 'application_id'),
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

/** Applications to vacancies. They share a table with applications to events. Only the paths of their URLs differ. */
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
    text: 'Registrations of candidates for events. They differ from applications only in their process.',
  },
  paths: ['event_applications', 'event_registrations'],
  scope: 'applications',
  fixed: { app_type: 'event_application' },
  leadsTo: { opportunity: 'event' },
});

/** The events of all applications. A move to another state raises `STATE_CHANGE_APPLICATION`. */
export const applicationEvents = eventsOf('application', {
  APPLICATION_CREATE: { on: 'create', text: message`An application was created.` },
  APPLICATION_UPDATE: { on: 'update', text: message`Properties of an application changed.` },
  APPLICATION_DELETE: { on: 'delete', text: message`An application was deleted.` },
  FORM_VALUES_CHANGE: { on: 'form_values', text: message`Form values of an application changed.` },
});
