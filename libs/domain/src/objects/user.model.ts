import { message } from '@ats/message';
import { boolean, date, datetime, text, textList, type NamedAttribute } from '../vocabulary/attribute.js';
import { type AttributeOptions } from '../vocabulary/attribute-options.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { joined, referring, toMany } from '../vocabulary/relation.js';
import { LANGUAGES } from '../vocabulary/languages.js';
import { emailAddress } from './email-address.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

/** The properties for the name and e-mail address of a candidate, recruiter or user. */
const person = (
  options: AttributeOptions,
): Record<'firstname' | 'lastname' | 'email' | 'fullname', NamedAttribute> => ({
  firstname: text({ ...options, shown: true, isFolded: true, personal: true, identifying: true }),
  lastname: text({ ...options, shown: true, isFolded: true, personal: true, identifying: true }),
  email: text({
    ...options,
    shown: true,
    isFolded: true,
    personal: true,
    identifying: true,
    format: 'email',
    schema: emailAddress,
    description: 'Unique among all users, ignoring case.',
  }),
  fullname: text({
    personal: true,
    identifying: true,
    computed: {
      // `||` returns null when one of the names is null. `concat` would not.
      sql: (alias) => `${alias}.firstname || ' ' || ${alias}.lastname`,
      memory: ({ firstname, lastname }) =>
        typeof firstname === 'string' && typeof lastname === 'string' ? `${firstname} ${lastname}` : null,
    },
  }),
});

const USER_TYPES = ['candidate', 'recruiter', 'api'] as const;
export const USER_STATUSES = ['pending_activation', 'active', 'disabled', 'anonymised'] as const;

/** A user. It is read-only: writes of candidates, recruiters and credentials create users. */
export const user = objectType({
  name: 'user',
  table: 'users',
  searchText: 'user_search_text',
  label: 'fullname',
  scopes: ['users'],
  properties: {
    ...identity(urlIn('users')),
    ...person({}),
    type: text({
      shown: true,
      values: USER_TYPES,
      description: 'An `api` user belongs to the credential of an integration.',
    }),
    status: text({ shown: true, values: USER_STATUSES }),
    language: text({ shown: true, nullable: true, values: LANGUAGES }),
    candidate: joined('candidate', {
      key: 'id',
      where: (to) => `${to}.type = 'candidate'`,
      shows: ['id', 'url'],
      nullable: true,
      description: 'The candidate of this user, with the same id.',
    }),
    recruiter: joined('recruiter', {
      key: 'id',
      where: (to) => `${to}.type = 'recruiter'`,
      shows: ['id', 'url'],
      nullable: true,
      description: 'The recruiter of this user, with the same id.',
    }),
  },
  uniques: { uq_users_email: '/email' },
});

/**
 * SQL for the time of the last activity of the candidate in the row `alias`. Activities are the creation or a change of
 * the candidate, of an application or its state, of a communication, and of a document. Null while the candidate has a live
 * application whose state is not terminal. Source: docs/reference/data-protection.md, "Retention of candidates".
 */
const inactiveSinceSql = (alias: string): string =>
  `CASE WHEN ${alias}.status <> 'anonymised' AND NOT EXISTS (
      SELECT FROM applications running JOIN states entered ON entered.id = running.state_id
      WHERE running.user_id = ${alias}.id AND running.is_live AND NOT entered.is_terminal)
    THEN greatest(${alias}.created_dt, ${alias}.updated_dt,
      (SELECT max(greatest(ended.created_dt, ended.state_entered_dt)) FROM applications ended
       WHERE ended.user_id = ${alias}.id),
      (SELECT max(exchanged.created_dt) FROM communications exchanged WHERE exchanged.user_id = ${alias}.id),
      (SELECT max(own.updated_dt) FROM documents own WHERE own.candidate_id = ${alias}.id),
      (SELECT max(sent.updated_dt) FROM documents sent JOIN applications receiver ON receiver.id = sent.application_id
       WHERE receiver.user_id = ${alias}.id)) END`;

/** A candidate. It shares one row and one id with its user. */
export const candidate = objectType({
  name: 'candidate',
  table: 'users',
  searchText: 'candidate_search_text',
  label: 'fullname',
  scopes: ['candidates'],
  errorCodes: {
    in_use: 'the candidate has live applications and cannot be deleted',
    anonymised: 'an anonymised candidate cannot be changed',
    not_pending: 'the candidate is not `pending_activation`, so the account cannot be activated',
  },
  fixed: { type: 'candidate' },
  properties: {
    ...identity(urlIn('candidates')),
    ...person({ write: 'required' }),
    status: text({ shown: true, values: USER_STATUSES }),
    title: text({ shown: true, personal: true, content: 'fact', nullable: true, write: 'optional' }),
    preferred_name: text({ shown: true, personal: true, identifying: true, nullable: true, write: 'optional' }),
    date_of_birth: date({ shown: true, personal: true, nullable: true, write: 'optional' }),
    Email: toMany('candidate_email', 'user_id', {
      shows: ['Label', 'Address'],
      write: 'optional',
      description: 'Further e-mail addresses.',
    }),
    Address: toMany('candidate_address', 'user_id', {
      shows: ['Label', 'AddressLine', 'City', 'Region', 'PostalCode', 'CountryCode'],
      write: 'optional',
    }),
    Phone: toMany('candidate_phone', 'user_id', { shows: ['Label', 'Number'], write: 'optional' }),
    Url: toMany('candidate_url', 'user_id', { shows: ['Label', 'Address'], write: 'optional' }),
    current_employer: text({ shown: true, personal: true, content: 'fact', nullable: true, write: 'optional' }),
    current_title: text({ shown: true, personal: true, content: 'fact', nullable: true, write: 'optional' }),
    tags: textList({ shown: true, personal: true, write: 'optional' }),
    source: text({ shown: true, personal: true, nullable: true, write: 'optional' }),
    inactive_since_dt: datetime({
      nullable: true,
      description:
        'The time of the last activity; null while an application is live, and for anonymised candidates. ' +
        'The retention rule of the system anonymises by this time.',
      computed: {
        readsOtherRows: true,
        isOnDemand: true,
        sql: inactiveSinceSql,
        memory: ({ inactive_since_dt: since }) => since ?? null,
      },
    }),
    user: joined('user', { key: 'id' }),
    documents: referring('document', 'candidate_id'),
  },
  uniques: { uq_users_email: '/email' },
});

export const candidateEmail = objectType({
  name: 'candidate_email',
  table: 'candidate_emails',
  searchText: 'search_text',
  label: 'Address',
  properties: {
    Label: text({ column: 'label', write: 'required', values: ['primary', 'secondary', 'work'] }),
    Address: text({
      column: 'address',
      write: 'required',
      personal: true,
      identifying: true,
      format: 'email',
      schema: emailAddress,
    }),
  },
});

const optionalText = (column: string, options: AttributeOptions = {}): NamedAttribute =>
  text({ content: 'fact', ...options, column, nullable: true, write: 'optional', personal: true });

export const candidateAddress = objectType({
  name: 'candidate_address',
  table: 'candidate_addresses',
  searchText: 'search_text',
  label: 'AddressLine',
  properties: {
    Label: text({ column: 'label', write: 'required', values: ['home', 'correspondence', 'term'] }),
    AddressLine: optionalText('address_line', { identifying: true }),
    City: optionalText('city'),
    Region: optionalText('region'),
    PostalCode: optionalText('postal_code'),
    CountryCode: optionalText('country_code'),
  },
});

export const candidatePhone = objectType({
  name: 'candidate_phone',
  table: 'candidate_phones',
  searchText: 'search_text',
  label: 'Number',
  properties: {
    Label: text({ column: 'label', write: 'required', values: ['mobile', 'home', 'work'] }),
    Number: text({ column: 'number', write: 'required', personal: true, identifying: true, maxLength: 50 }),
  },
});

export const candidateUrl = objectType({
  name: 'candidate_url',
  table: 'candidate_urls',
  searchText: 'search_text',
  label: 'Address',
  properties: {
    Label: text({ column: 'label', write: 'required', values: ['linkedin', 'portfolio', 'website'] }),
    Address: text({ column: 'address', write: 'required', personal: true, identifying: true, maxLength: 2_000 }),
  },
});

export const recruiter = objectType({
  name: 'recruiter',
  table: 'users',
  searchText: 'recruiter_search_text',
  label: 'fullname',
  scopes: ['recruiters'],
  errorCodes: { anonymised: 'an anonymised recruiter cannot be changed' },
  fixed: { type: 'recruiter' },
  properties: {
    ...identity(urlIn('recruiters')),
    ...person({ write: 'required' }),
    job_title: text({ shown: true, personal: true, content: 'fact', nullable: true, write: 'optional' }),
    is_active: boolean({
      shown: true,
      write: 'optional',
      description: 'False deactivates the recruiter. Recruiters cannot be deleted, because the history refers to them.',
    }),
    user: joined('user', {
      key: 'id',
      shows: ['id', 'url'],
      description: 'The user of this recruiter, with the same id.',
    }),
  },
  uniques: { uq_users_email: '/email' },
});

export const users = resource({
  name: 'users',
  type: user,
  describe: {
    group: 'People and access',
    title: 'Users',
    text: 'All users, read only. Creating a candidate, a recruiter or a credential creates its user.',
  },
});
export const candidates = resource({
  name: 'candidates',
  type: candidate,
  describe: {
    group: 'Recruitment',
    title: 'Candidates',
    text: 'People who apply. A candidate has the same id as its user.',
  },
});
export const recruiters = resource({
  name: 'recruiters',
  type: recruiter,
  describe: {
    group: 'People and access',
    title: 'Recruiters',
    text: 'People who manage vacancies and applications.',
    example: { firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.com', job_title: 'Head of recruiting' },
  },
});

export const candidateEvents = eventsOf('candidate', {
  CANDIDATE_CREATE: { on: 'create', text: message`A candidate was created.` },
  CANDIDATE_UPDATE: { on: 'update', text: message`Properties of a candidate changed.` },
  CANDIDATE_DELETE: { on: 'delete', text: message`A candidate was deleted.` },
  CANDIDATE_ANONYMISE: { on: 'anonymise', text: message`A candidate was anonymised.` },
});
