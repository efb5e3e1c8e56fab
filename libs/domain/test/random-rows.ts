import { LANGUAGES } from '../src/vocabulary/languages.js';
import { objectModel } from '../src/objects/object-model.js';
import { tableOf } from '../src/reading/representation-sql.js';
import { type ObjectType } from '../src/vocabulary/object-type.js';
import { RandomForms } from './random-forms.js';
import {
  randomAttempt,
  randomCertificate,
  randomDelivery,
  randomEndpoint,
  randomEvent,
  randomRedelivery,
  randomSubscription,
  randomTopic,
} from './random-notifications.js';
import { randomAddress, randomCredential, randomUser } from './random-people.js';
import {
  randomApplication,
  randomCommunication,
  randomDocument,
  randomJobBoard,
  randomOpportunity,
  randomPosting,
  randomScoringRule,
  randomTemplate,
} from './random-recruitment.js';
import { randomColumns, randomRow, type Row, type Rows } from './random-row.js';
import { type RandomValues } from './random-values.js';

/** The rows that migrations insert. */
export interface Seeded {
  readonly processes: readonly Row[];
  readonly states: readonly Row[];
  readonly systems: readonly Row[];
}

const collection = ({ dice }: RandomValues): string => dice.one(['applications', 'candidates', 'vacancies']);

function randomLayoutColumn(values: RandomValues, place: Row): Row {
  const { dice } = values;
  const languages = dice.some(LANGUAGES, 3).concat(dice.one(LANGUAGES));
  const title = Object.fromEntries(languages.map((language) => [language, values.text()]));
  return {
    ...place,
    id: values.id('layout_columns'),
    title,
    datapath: values.text(),
    type: dice.one(['text', 'reference']),
    is_many: dice.chance(0.5),
  };
}

function randomSearchDefinition(values: RandomValues, table: string): Row {
  const texts = {
    search: values.tags(),
    filter: values.maybe(values.text),
    where_expression: values.maybe(values.text),
    sort: values.tags(),
  };
  return { ...values.common(table), name: values.text(), resource: collection(values), ...texts };
}

/** True for a row of the type. A table can have rows of several types, such as candidates and recruiters. */
const isOfType = (type: ObjectType, row: Row): boolean =>
  Object.entries(type.fixed).every(([column, value]) => row[column] === value);

/**
 * Makes rows of every table that datapaths reach, in an order that satisfies their foreign keys. Tables and columns
 * that this file does not name are filled from the object model.
 */
export class RandomRows {
  constructor(
    private readonly values: RandomValues,
    private readonly seeded: Seeded,
  ) {}

  make(): Rows {
    const { values } = this;
    const { dice, pools } = values;
    const rows: Record<string, readonly Row[]> = { ...this.#described() };
    for (const type of objectModel.types) {
      const { table } = type;
      if (!table || table in this.seeded) continue;
      const idsOf = (target: ObjectType): number[] => {
        const name = tableOf(target);
        const all = rows[name] ?? this.seeded[name as keyof Seeded] ?? [];
        return all.filter((row) => isOfType(target, row)).map(({ id }) => Number(id));
      };
      rows[table] =
        rows[table]?.map((row) => this.#complete(type, row)) ??
        values.many(12, () => randomRow(type, { dice, pools, id: values.id(table), idsOf }));
    }
    return rows;
  }

  /** Adds values for all columns of the type that the row lacks. */
  #complete(type: ObjectType, row: Row): Row {
    if (!isOfType(type, row)) return row;
    const missing = Object.entries(type.attributes).filter(
      ([name, { column }]) => column && !((column.name ?? name) in row),
    );
    const { dice, pools } = this.values;
    const settings = { dice, pools, id: Number(row['id']) };
    const columns = missing.map(([name, attribute]) => randomColumns(type, { name, attribute }, settings));
    return Object.assign({}, row, ...columns) as Row;
  }

  #described(): Rows {
    const { values } = this;
    const { dice } = values;
    const { states } = this.seeded;
    const users = values.many(40, () => randomUser(values));
    const ofType = (type: string): readonly Row[] => users.filter((user) => user['type'] === type);
    const candidates = ofType('candidate');
    const recruiters = ofType('recruiter');
    const below = (table: string, columns: (label: () => string) => Row, labels: readonly string[]): readonly Row[] =>
      candidates.flatMap((candidate) =>
        Array.from({ length: dice.below(4) }, (_, position) => ({
          id: values.id(table),
          user_id: candidate['id'],
          position,
          ...columns(() => dice.one(labels)),
        })),
      );
    const opportunities = values.many(16, () => randomOpportunity(values, recruiters, states));
    const vacancies = opportunities.filter(({ kind }) => kind === 'vacancy');
    const job_boards = values.many(5, () => randomJobBoard(values));
    const postings = values.many(20, () => randomPosting(values, vacancies, job_boards));
    const applications: Row[] = [];
    for (let index = 0; index < 60; index++)
      applications.push(randomApplication(values, { opportunities, candidates, postings, applications, states }));
    const layouts = values.many(5, () => ({
      ...values.common('layouts'),
      name: values.text(),
      resource: dice.one(['applications', 'candidates']),
    }));
    const message_templates = values.many(6, () => randomTemplate(values));
    const forms = new RandomForms(dice, values.pools, (table) => values.common(table)).make({
      opportunities,
      applications,
    });
    const notification_topics = values.many(6, () => randomTopic(values));
    const client_certificates = values.many(4, () => randomCertificate(values, recruiters));
    const notification_endpoints = values.many(6, () => randomEndpoint(values, recruiters));
    const notification_subscriptions = values.many(8, () =>
      randomSubscription(values, notification_topics, notification_endpoints),
    );
    const notification_deliveries = values.many(40, () => randomDelivery(values, notification_subscriptions));
    return {
      users,
      candidate_emails: below('candidate_emails', (label) => ({ label: label(), address: values.address() }), [
        'primary',
        'secondary',
        'work',
      ]),
      candidate_addresses: below('candidate_addresses', (label) => randomAddress(values, label()), [
        'home',
        'correspondence',
        'term',
      ]),
      candidate_phones: below('candidate_phones', (label) => ({ label: label(), number: values.text() }), [
        'mobile',
        'home',
        'work',
      ]),
      candidate_urls: below('candidate_urls', (label) => ({ label: label(), address: values.text() }), [
        'linkedin',
        'portfolio',
        'website',
      ]),
      opportunities,
      scoring_rules: opportunities.flatMap(({ id }) =>
        Array.from({ length: dice.below(3) }, (_, position) =>
          randomScoringRule(values, { opportunity_id: id, position }),
        ),
      ),
      job_boards,
      postings,
      applications,
      ...forms,
      message_templates,
      communications: values.many(40, () =>
        randomCommunication(values, { applications, candidates, recruiters, message_templates }),
      ),
      documents: values.many(30, () => randomDocument(values, { applications, candidates })),
      layouts,
      layout_columns: layouts.flatMap(({ id }) =>
        Array.from({ length: 1 + dice.below(3) }, (_, position) =>
          randomLayoutColumn(values, { layout_id: id, position }),
        ),
      ),
      credentials: values.many(6, () => randomCredential(values, recruiters)),
      notification_topics,
      client_certificates,
      notification_endpoints,
      notification_subscriptions,
      notification_deliveries,
      notification_attempts: notification_deliveries.flatMap((delivery) =>
        Array.from({ length: dice.below(4) }, (_, index) => randomAttempt(values, delivery, index + 1)),
      ),
      notification_redeliveries: values.many(8, () => randomRedelivery(values, notification_subscriptions)),
      domain_events: values.many(20, () => randomEvent(values, recruiters)),
      saved_searches: values.many(8, () => ({
        ...randomSearchDefinition(values, 'saved_searches'),
        owner_id: dice.one(recruiters)['id'],
        is_shared: dice.chance(0.3),
      })),
      config_searches: values.many(5, () => randomSearchDefinition(values, 'config_searches')),
      selections: values.many(5, () => ({
        ...values.common('selections'),
        name: values.text(),
        resource: collection(values),
        member_count: dice.below(3),
      })),
    };
  }
}
