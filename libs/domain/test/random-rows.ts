import { textToHtml } from '@ats/rich-text';
import { LANGUAGES } from '../src/vocabulary/languages.js';
import { EVENT_TYPES } from '../src/objects/event-types.js';
import { objectModel } from '../src/objects/object-model.js';
import { type ObjectType } from '../src/vocabulary/object-type.js';
import { type Dice } from './dice.js';
import { RandomForms } from './random-forms.js';
import { type Pools, randomColumns, randomRow, type Row, type Rows } from './random-row.js';

export { type Pools, type Row, type Rows } from './random-row.js';

/** Characters that fold, sort or escape in an unusual way, and similar ordinary ones. */
const PIECES = [
  'a',
  'A',
  'b',
  'B',
  'son',
  'Son',
  'ß',
  'ẞ',
  'ss',
  'İ',
  'ı',
  'i',
  'I',
  'Σ',
  'σ',
  'ς',
  'ΑΣ',
  'ας',
  'é',
  'e\u0301',
  'É',
  'Ä',
  'ä',
  'Å',
  'Å',
  'ø',
  'Ж',
  'ж',
  'ǅ',
  'ﬁ',
  '𐐀',
  '𐐨',
  '😀',
  '漢',
  'ع',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ' ',
  '-',
  '.',
  ',',
  '{',
  '}',
  '[',
  '!',
  '=',
  '<',
  '1',
  '10',
  '2',
  '\n',
  '\t',
  '/',
  '~',
] as const;

/** Words whose case folding depends on more than one letter, and texts with special characters of SQL. */
const WORDS = ['ΟΔΟΣ', 'οδος', 'ΟΔΟΣΑΣ', 'İstanbul', 'Straße', 'STRASSE', '100%', 'a_b\\c', "O'Hara"] as const;

export const randomText = (dice: Dice): string =>
  Array.from({ length: dice.below(4) }, () => dice.one(PIECES)).join('');

const DATES = [
  '2026-02-28',
  '2026-03-01',
  '2026-03-02',
  '2024-02-29',
  '1970-01-01',
  '0001-01-01',
  '9999-12-31',
  '2031-07-15',
] as const;
const MOMENTS = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T00:00:00.001Z',
  '2026-03-01T12:30:00.120Z',
  '2026-03-02T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2031-07-15T08:00:00.500Z',
] as const;
const OPPORTUNITY_KINDS = ['vacancy', 'event'] as const;
const DECIMALS = [0, 1, 1.5, -2.25, 10, 100, 12.34, 0.01, 999_999_999.99] as const;

export const randomPools = (dice: Dice): Pools => ({
  texts: ['', ...WORDS, ...Array.from({ length: 20 }, () => randomText(dice))],
  dates: DATES,
  moments: MOMENTS,
  decimals: DECIMALS,
});

/** The rows that migrations insert. */
export interface Seeded {
  readonly processes: readonly Row[];
  readonly states: readonly Row[];
  readonly systems: readonly Row[];
}

/**
 * Makes rows of every table that datapaths reach, in an order that satisfies their foreign keys. Tables and columns
 * that this file does not name are filled from the object model.
 */
export class RandomRows {
  readonly #ids = new Map<string, number>();

  constructor(
    private readonly dice: Dice,
    private readonly pools: Pools,
    private readonly seeded: Seeded,
  ) {}

  make(): Rows {
    const rows: Record<string, readonly Row[]> = { ...this.#described() };
    for (const type of objectModel.types) {
      const { table } = type;
      if (!table || table in this.seeded) continue;
      const idsOf = (name: string): number[] =>
        (rows[name] ?? this.seeded[name as keyof Seeded] ?? []).map(({ id }) => Number(id));
      rows[table] =
        rows[table]?.map((row) => this.#complete(type, row)) ??
        this.#many(12, () => randomRow(type, { dice: this.dice, pools: this.pools, id: this.#id(table), idsOf }));
    }
    return rows;
  }

  /** Adds the columns that the row of a type lacks. */
  #complete(type: ObjectType, row: Row): Row {
    if (Object.entries(type.fixed).some(([column, value]) => row[column] !== value)) return row;
    const missing = Object.entries(type.attributes).filter(
      ([name, { column }]) => column && !((column.name ?? name) in row),
    );
    const settings = { dice: this.dice, pools: this.pools, id: Number(row['id']) };
    const columns = missing.map(([name, attribute]) => randomColumns(type, { name, attribute }, settings));
    return Object.assign({}, row, ...columns) as Row;
  }

  #described(): Rows {
    const { dice } = this;
    const users = this.#many(40, () => this.#user());
    const ofType = (type: string): readonly Row[] => users.filter((user) => user['type'] === type);
    const candidates = ofType('candidate');
    const recruiters = ofType('recruiter');
    const below = (table: string, columns: (label: () => string) => Row, labels: readonly string[]): readonly Row[] =>
      candidates.flatMap((candidate) =>
        Array.from({ length: dice.below(4) }, (_, position) => ({
          id: this.#id(table),
          user_id: candidate['id'],
          position,
          ...columns(() => dice.one(labels)),
        })),
      );
    const opportunities = this.#many(16, () => this.#opportunity(recruiters));
    const vacancies = opportunities.filter(({ kind }) => kind === 'vacancy');
    const job_boards = this.#many(5, () => this.#jobBoard());
    const postings = this.#many(20, () => this.#posting(vacancies, job_boards));
    const applications: Row[] = [];
    for (let index = 0; index < 60; index++)
      applications.push(this.#application({ opportunities, candidates, postings, applications }));
    const layouts = this.#many(5, () => ({
      ...this.#common('layouts'),
      name: this.#text(),
      resource: dice.one(['applications', 'candidates']),
    }));
    const message_templates = this.#many(6, () => this.#template());
    const forms = new RandomForms(dice, this.pools, (table) => this.#common(table)).make({
      opportunities,
      applications,
    });
    const notification_topics = this.#many(6, () => this.#topic());
    const notification_subscriptions = this.#many(8, () => this.#subscription(notification_topics));
    const notification_deliveries = this.#many(40, () => this.#delivery(notification_subscriptions));
    return {
      users,
      candidate_emails: below('candidate_emails', (label) => ({ label: label(), address: this.#text() }), [
        'primary',
        'secondary',
        'work',
      ]),
      candidate_addresses: below('candidate_addresses', (label) => this.#address(label()), [
        'home',
        'correspondence',
        'term',
      ]),
      candidate_phones: below('candidate_phones', (label) => ({ label: label(), number: this.#text() }), [
        'mobile',
        'home',
        'work',
      ]),
      candidate_urls: below('candidate_urls', (label) => ({ label: label(), address: this.#text() }), [
        'linkedin',
        'portfolio',
        'website',
      ]),
      opportunities,
      scoring_rules: opportunities.flatMap(({ id }) =>
        Array.from({ length: dice.below(3) }, (_, position) => this.#scoringRule({ opportunity_id: id, position })),
      ),
      job_boards,
      postings,
      applications,
      ...forms,
      message_templates,
      communications: this.#many(40, () =>
        this.#communication({ applications, candidates, recruiters, message_templates }),
      ),
      layouts,
      layout_columns: layouts.flatMap(({ id }) =>
        Array.from({ length: 1 + dice.below(3) }, (_, position) => this.#layoutColumn({ layout_id: id, position })),
      ),
      credentials: this.#many(6, () => this.#credential(recruiters)),
      notification_topics,
      notification_subscriptions,
      notification_deliveries,
      notification_attempts: notification_deliveries.flatMap((delivery) =>
        Array.from({ length: dice.below(4) }, (_, index) => this.#attempt(delivery, index + 1)),
      ),
      notification_redeliveries: this.#many(8, () => this.#redelivery(notification_subscriptions)),
      domain_events: this.#many(20, () => this.#event(recruiters)),
      saved_searches: this.#many(8, () => ({
        ...this.#search('saved_searches'),
        owner_id: dice.one(recruiters)['id'],
        is_shared: dice.chance(0.3),
      })),
      config_searches: this.#many(5, () => this.#search('config_searches')),
      selections: this.#many(5, () => ({
        ...this.#common('selections'),
        name: this.#text(),
        resource: this.#resource(),
        member_count: dice.below(3),
      })),
    };
  }

  #many(count: number, make: () => Row): readonly Row[] {
    return Array.from({ length: count }, make);
  }

  #id(table: string): number {
    const id = (this.#ids.get(table) ?? 0) + 1;
    this.#ids.set(table, id);
    return id;
  }

  #common(table: string): Row & { readonly id: number } {
    const id = this.#id(table);
    const uuid = `${id.toString(16).padStart(8, '0')}-0000-4000-8000-${this.dice
      .below(2 ** 32)
      .toString(16)
      .padStart(12, '0')}`;
    return { id, uuid, created_dt: this.#moment(), updated_dt: this.#moment() };
  }

  #text = (): string => this.dice.one(this.pools.texts);
  #date = (): string => this.dice.one(this.pools.dates);
  #moment = (): string => this.dice.one(this.pools.moments);
  #tags = (): string[] => this.dice.some(this.pools.texts, 3);
  #maybe = <T>(make: () => T): T | null => (this.dice.chance(0.3) ? null : make());

  #user(): Row {
    const { dice } = this;
    const common = this.#common('users');
    return {
      ...common,
      // The first rows cover every type, here and below: other rows refer to them, and a test needs one of each type.
      type:
        ['candidate', 'recruiter', 'api'][common.id - 1] ??
        dice.one(['candidate', 'candidate', 'candidate', 'recruiter', 'api']),
      status: dice.one(['pending_activation', 'active', 'disabled']),
      language: this.#maybe(() => dice.one(['de', 'en'])),
      firstname: this.#text(),
      lastname: this.#text(),
      // The dot separates the id from a text that ends in a digit, so that addresses are unique.
      email: `${this.#text()}.${common.id}@example.com`,
      title: this.#maybe(this.#text),
      preferred_name: this.#maybe(this.#text),
      date_of_birth: this.#maybe(this.#date),
      current_employer: this.#maybe(this.#text),
      current_title: this.#maybe(this.#text),
      source: this.#maybe(this.#text),
      tags: this.#tags(),
      job_title: this.#maybe(this.#text),
      is_active: dice.chance(0.5),
    };
  }

  #address(label: string): Row {
    const [address_line, city, region, postal_code, country_code] = Array.from({ length: 5 }, () =>
      this.#maybe(this.#text),
    );
    return { label, address_line, city, region, postal_code, country_code };
  }

  #opportunity(recruiters: readonly Row[]): Row {
    const { dice } = this;
    const common = this.#common('opportunities');
    const state = dice.one(this.seeded.states);
    return {
      ...common,
      kind: OPPORTUNITY_KINDS[common.id - 1] ?? dice.one(OPPORTUNITY_KINDS),
      reference: `${this.#text()}-${common.id}`,
      title: this.#text(),
      state_id: state['id'],
      state_entered_dt: this.#moment(),
      ...this.#description(),
      location: this.#maybe(this.#text),
      department: this.#maybe(this.#text),
      owner_id: recruiters.length > 0 ? this.#maybe(() => dice.one(recruiters)['id']) : null,
      opening_date: this.#maybe(this.#date),
      closing_date: this.#maybe(this.#date),
      tags: this.#tags(),
      system_id: 1,
      process_id: state['process_id'],
      employment_type: this.#maybe(this.#text),
      openings: dice.below(3),
      salary_min: this.#maybe(() => dice.one(this.pools.decimals)),
      salary_max: this.#maybe(() => dice.one(this.pools.decimals)),
      salary_currency: this.#maybe(() => 'EUR'),
      start_dt: this.#maybe(this.#moment),
      end_dt: this.#maybe(this.#moment),
      venue: this.#maybe(this.#text),
      capacity: this.#maybe(() => dice.below(3)),
    };
  }

  /** The columns of a rich text: HTML and plain text. */
  #description(): Row {
    const plain = this.#maybe(this.#text);
    return { description: plain === null ? null : `<p>${textToHtml(plain)}</p>`, description_plain: plain };
  }

  #jobBoard(): Row {
    const common = this.#common('job_boards');
    const flags = { is_internal: this.dice.chance(0.5), is_active: this.dice.chance(0.5) };
    return {
      ...common,
      name: this.#text(),
      code: `${this.#text()}.${common.id}`,
      base_url: this.#maybe(this.#text),
      ...flags,
    };
  }

  #posting(vacancies: readonly Row[], boards: readonly Row[]): Row {
    const { dice } = this;
    return {
      ...this.#common('postings'),
      title: this.#text(),
      ...this.#description(),
      is_withdrawn: dice.chance(0.3),
      opening_date: this.#date(),
      closing_date: this.#maybe(this.#date),
      job_board_id: dice.one(boards)['id'],
      vacancy_id: dice.one(vacancies)['id'],
      location: this.#maybe(this.#text),
      method: dice.one(['hosted', 'feed', 'api', 'email', 'manual']),
    };
  }

  #application(of: {
    opportunities: readonly Row[];
    candidates: readonly Row[];
    postings: readonly Row[];
    applications: readonly Row[];
  }): Row {
    const { dice } = this;
    const common = this.#common('applications');
    const opportunity =
      (common.id <= OPPORTUNITY_KINDS.length && of.opportunities[common.id - 1]) || dice.one(of.opportunities);
    const dates = {
      hired_dt: this.#maybe(this.#moment),
      rejected_dt: this.#maybe(this.#moment),
      withdrawn_dt: this.#maybe(this.#moment),
    };
    return {
      ...common,
      ...dates,
      app_type: opportunity['kind'] === 'vacancy' ? 'vacancy_application' : 'event_application',
      reference: `${this.#text()}/${common.id}`,
      opportunity_id: opportunity['id'],
      user_id: dice.one(of.candidates)['id'],
      posting_id: this.#maybe(() => dice.one(of.postings)['id']),
      copied_from_id: of.applications.length > 0 ? this.#maybe(() => dice.one(of.applications)['id']) : null,
      state_id: dice.one(this.seeded.states)['id'],
      state_entered_dt: this.#moment(),
      outcome: dice.one(['pending', 'hired', 'declined', 'withdrawn', 'attended', 'no_show']),
      is_live: false,
      source: this.#maybe(this.#text),
      score: this.#maybe(() => dice.one(this.pools.decimals)),
      tags: this.#tags(),
      rating: this.#maybe(() => 1 + dice.below(5)),
      submitted_dt: this.#maybe(this.#moment),
    };
  }

  #credential(recruiters: readonly Row[]): Row {
    const { dice } = this;
    const common = this.#common('credentials');
    const recruiter = dice.one(recruiters)['id'];
    return {
      ...common,
      name: this.#text(),
      key_id: `key${common.id}`,
      token_digest: '\\x00',
      scopes: dice.some(['applications:read', '*:write', 'users:read'], 3),
      api_version: this.#maybe(() => '1.7'),
      language: this.#maybe(() => 'fr'),
      user_id: recruiter,
      recruiter_id: recruiter,
      expires_dt: this.#maybe(this.#moment),
      last_used_dt: this.#maybe(this.#moment),
      revoked_dt: this.#maybe(this.#moment),
    };
  }

  #layoutColumn(place: Row): Row {
    const { dice } = this;
    const languages = dice.some(LANGUAGES, 3).concat(dice.one(LANGUAGES));
    const title = Object.fromEntries(languages.map((language) => [language, this.#text()]));
    return {
      ...place,
      id: this.#id('layout_columns'),
      title,
      datapath: this.#text(),
      type: dice.one(['text', 'reference']),
      is_many: dice.chance(0.5),
    };
  }

  #template(): Row {
    return {
      ...this.#common('message_templates'),
      name: this.#text(),
      type: this.#type(),
      subject: this.#text(),
      ...this.#body(),
    };
  }

  #communication(of: {
    applications: readonly Row[];
    candidates: readonly Row[];
    recruiters: readonly Row[];
    message_templates: readonly Row[];
  }): Row {
    const { dice } = this;
    return {
      ...this.#common('communications'),
      type: this.#type(),
      direction: dice.one(['outbound', 'inbound']),
      status: dice.one(['queued', 'sent', 'failed']),
      subject: this.#maybe(this.#text),
      ...this.#body(),
      to_addresses: this.#tags(),
      application_id: this.#maybe(() => dice.one(of.applications)['id']),
      user_id: dice.one(of.candidates)['id'],
      author_id: dice.one(of.recruiters)['id'],
      // The id may belong to a deleted row.
      template_id: this.#maybe(() => (dice.chance(0.2) ? 1_000_000 : dice.one(of.message_templates)['id'])),
      sent_dt: this.#maybe(this.#moment),
      failed_reason: this.#maybe(() => dice.one(['rejected', 'anonymised'])),
    };
  }

  #type = (): string => this.dice.one(['email', 'sms', 'note']);

  /** The columns of a rich text that is not null. */
  #body(): Row {
    const plain = this.#text();
    return { body: `<p>${textToHtml(plain)}</p>`, body_plain: plain };
  }

  #scoringRule(place: Row): Row {
    return {
      ...place,
      id: this.#id('scoring_rules'),
      expression: this.#text(),
      points: this.dice.one([0, 1.5, -2.25, 12.34]),
    };
  }

  #topic(): Row {
    const more = {
      description: this.#maybe(this.#text),
      expression: this.#maybe(this.#text),
      datapaths: [],
      revision: 1,
    };
    return { ...this.#common('notification_topics'), type: this.dice.one(EVENT_TYPES), name: this.#text(), ...more };
  }

  #resource = (): string => this.dice.one(['applications', 'candidates', 'vacancies']);

  #search(table: string): Row {
    const texts = { search: this.#tags(), filter: this.#maybe(this.#text), sort: this.#tags() };
    return { ...this.#common(table), name: this.#text(), resource: this.#resource(), ...texts };
  }

  #subscription(topics: readonly Row[]): Row {
    const { dice } = this;
    const disabled = dice.chance(0.3)
      ? { disabled_dt: '2026-03-01T00:00:00Z', disabled_reason: dice.one(['gone', 'failing', 'requested']) }
      : {};
    return {
      ...this.#common('notification_subscriptions'),
      topic_id: dice.one(topics)['id'],
      start_dt: '2026-01-01T00:00:00.000Z',
      end_dt: this.#maybe(() => dice.one(['2026-02-01T00:00:00.000Z', '9000-01-01T00:00:00.000Z'])),
      active_from_dt: dice.one(['2026-01-01T00:00:00.000Z', '8000-01-01T00:00:00.000Z']),
      destination_url: `https://example.com/${this.#text()}`,
      destination_origin: 'https://example.com',
      last_sequence: 0,
      max_in_flight: 4,
      in_flight_limit: 4,
      limit_successes: 0,
      is_recovering: false,
      consecutive_failures: 0,
      disabled_dt: null,
      disabled_reason: null,
      ...disabled,
    };
  }

  /** The event times lie in the first partition, which always exists. */
  #delivery(subscriptions: readonly Row[]): Row {
    const { dice } = this;
    const { id, uuid, ...times } = this.#common('notification_deliveries');
    const subscription = dice.one(subscriptions);
    return {
      ...times,
      id,
      message_id: uuid,
      occurred_dt: dice.one(['2026-03-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z']),
      event_id: this.#maybe(() => id),
      subscription_id: subscription['id'],
      topic_id: subscription['topic_id'],
      topic_revision: 1,
      sequence: dice.below(5),
      body: this.#text(),
      status: dice.one(['due', 'queued', 'delivered', 'held', 'exhausted', 'cancelled']),
      next_attempt_dt: this.#moment(),
      queued_dt: '2026-03-01T00:00:00.000Z',
      finished_dt: this.#maybe(this.#moment),
      request_id: this.#maybe(this.#text),
      attempts: 0,
      failures: 0,
      requeues: 0,
      lane: 'hot',
      reason: 'auto',
      keeps_answers: true,
    };
  }

  #attempt({ id: delivery_id, occurred_dt }: Row, attempt: number): Row {
    const { dice } = this;
    return {
      id: this.#id('notification_attempts'),
      delivery_id,
      occurred_dt,
      attempt,
      started_dt: this.#moment(),
      reason: dice.one(['auto', 'manual', 'ping']),
      state: 'done',
      url: `https://example.com/${this.#text()}`,
      duration_ms: this.#maybe(() => dice.below(3)),
      status_code: this.#maybe(() => dice.one([200, 500])),
      error: this.#maybe(() => dice.one(['status', 'timeout'])),
      response_excerpt: this.#maybe(this.#text),
      is_truncated: dice.chance(0.5),
      worker: 'spec',
    };
  }

  #redelivery(subscriptions: readonly Row[]): Row {
    const { dice } = this;
    const subscription = dice.one(subscriptions);
    return {
      ...this.#common('notification_redeliveries'),
      topic_id: subscription['topic_id'],
      subscription_id: subscription['id'],
      since_dt: this.#moment(),
      until_dt: this.#moment(),
      delivery_status: this.#maybe(() => dice.one(['due', 'exhausted'])),
      status: dice.one(['running', 'done']),
      last_sequence: 1,
      cursor_sequence: 0,
      total: dice.below(3),
      redelivered: dice.below(3),
      skipped: dice.below(3),
    };
  }

  #event(recruiters: readonly Row[]): Row {
    const { dice } = this;
    const [subject_type, facts] = dice.one([
      ['posting', {}],
      ['application', { 'application.app_type': 'vacancy_application' }],
      ['application', { 'application.app_type': 'event_application' }],
      ['opportunity', { 'opportunity.kind': 'vacancy' }],
      ['opportunity', { 'opportunity.kind': 'event' }],
    ] as const);
    return {
      id: this.#id('domain_events'),
      type: dice.one(EVENT_TYPES),
      subject_type,
      subject_id: 1 + dice.below(5),
      recruiter_id: dice.one(recruiters)['id'],
      occurred_dt: this.#moment(),
      time_zone: 'UTC',
      facts,
      status: 'done',
      tries: 0,
    };
  }
}
