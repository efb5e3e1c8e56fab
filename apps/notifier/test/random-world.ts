import { datapathIn } from '@ats/datapath';
import {
  checkTopicExpression,
  createSubscription,
  createTopic,
  deleteSubscription,
  deleteTopic,
  disableSubscription,
  enableSubscription,
  EVENT_ROOTS,
  type EventType,
  replaceSubscription,
  replaceTopic,
  type SubscriptionValues,
  type TopicValues,
} from '@ats/domain';
import { type Database, type Transaction } from '@ats/postgres';
import fc from 'fast-check';
import { BY_NOTIFIER, type EventFixture, recordEvent, secretBox } from './fixtures.js';

/**
 * A step of a sequence: a write of a client, an event, or a run of the matcher. `which` selects an existing topic or
 * subscription.
 */
export type Step =
  | { readonly kind: 'create topic'; readonly topic: TopicDraft }
  | { readonly kind: 'replace topic'; readonly which: number; readonly topic: TopicDraft }
  | { readonly kind: 'delete topic'; readonly which: number }
  | { readonly kind: 'subscribe'; readonly which: number; readonly window: Window }
  | { readonly kind: 'replace subscription'; readonly which: number; readonly window: Window }
  | { readonly kind: 'delete subscription' | 'disable' | 'enable'; readonly which: number }
  | {
      readonly kind: 'event';
      readonly type: EventType;
      readonly subjectId: number;
      readonly facts: Readonly<Record<string, unknown>>;
      readonly seconds: number;
    }
  | { readonly kind: 'match' };

interface TopicDraft {
  readonly type: EventType;
  readonly expression: string | null;
}

/**
 * A period in whole seconds from the beginning of the test. So some events happen exactly when a period starts or ends.
 */
interface Window {
  readonly start: number | null;
  readonly end: number | null;
}

/** A time before the beginning of the test, in seconds from the beginning. */
const PAST = -3_600;

interface Subscribed {
  readonly topicId: number;
  readonly id: number;
}

const url = 'https://receiver.example.com/';
const which = fc.nat(20);
const types = fc.constantFrom<EventType>(
  'STATE_CHANGE_APPLICATION',
  'STATE_CHANGE_OPPORTUNITY',
  'SUBSCRIPTION_RECOVERED',
  'DELIVERY_EXHAUSTED',
);
const NAMES = ['Ann', 'Ben'];
type Root = 'application' | 'opportunity' | 'notification_subscription' | 'notification_delivery';

const comparison = {
  application: fc.oneof(
    fc.constantFrom(...NAMES, 'Zoe').map((name) => `application.user.firstname == "${name}"`),
    fc.integer({ min: 0, max: 5 }).map((id) => `application.opportunity_id <= ${id}`),
    fc.integer({ min: 0, max: 5 }).map((id) => `application.opportunity.owner.id != ${id}`),
    fc.constantFrom('a', 'b').map((tag) => `application.tags == "${tag}"`),
    fc.constantFrom(-1, 0, 1).map((days) => `application.submitted_dt < DATE("today") + DTDURATION(${days},0,0,0)`),
    fc.constantFrom('application.user.lastname =~ "x"', 'application.rating == NULL'),
    fc.constantFrom('CHANGED(application.rating)', 'WAS(application.rating) < 3', 'WAS(application.rating) == NULL'),
  ),
  opportunity: fc.oneof(
    fc.constantFrom('Berlin', 'Rome').map((place) => `opportunity.location == "${place}"`),
    fc.constantFrom(-1, 0, 1).map((days) => `opportunity.closing_date <= DATE("today") + DTDURATION(${days},0,0,0)`),
    fc.constantFrom('opportunity.owner.firstname == "Ann"', 'opportunity.tags !~ "a"'),
  ),
  notification_subscription: fc.oneof(
    fc
      .constantFrom('gone', 'failing', 'requested')
      .map((reason) => `notification_subscription.disabled_reason == "${reason}"`),
    fc.integer({ min: 0, max: 9 }).map((id) => `notification_subscription.id <= ${id}`),
  ),
  notification_delivery: fc.oneof(
    fc.constantFrom('due', 'exhausted').map((status) => `notification_delivery.status == "${status}"`),
    fc.integer({ min: 0, max: 9 }).map((id) => `notification_delivery.subscription.id != ${id}`),
  ),
};

const expressionOf = (root: Root): fc.Arbitrary<string | null> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: comparison[root] },
    {
      weight: 3,
      arbitrary: fc
        .tuple(comparison[root], fc.constantFrom('AND', 'OR', 'AND NOT'), comparison[root])
        .map((parts) => parts.join(' ')),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(comparison[root], { minLength: 3, maxLength: 4 })
        .map((parts) => `NOT (${parts.join(' OR ')})`),
    },
  );

const topic: fc.Arbitrary<TopicDraft> = types.chain((type) =>
  expressionOf(EVENT_ROOTS[type] as Root).map((expression) => ({ type, expression })),
);
/** Generates periods whose end is after their start. */
const window: fc.Arbitrary<Window> = fc.record({
  start: fc.option(fc.oneof(fc.integer({ min: -5, max: 3 }), fc.constant(PAST))),
  end: fc.option(fc.integer({ min: 4, max: 9 }), { freq: 1 }),
});

/** Generates snapshots. Some values are missing, and some are null. */
const facts = fc.record(
  {
    'application.user.firstname': fc.constantFrom(...NAMES, null),
    'application.opportunity_id': fc.integer({ min: 0, max: 6 }),
    'application.opportunity.owner.id': fc.option(fc.integer({ min: 0, max: 6 })),
    'application.tags': fc.subarray(['a', 'b', 'c']),
    'application.submitted_dt': fc.constantFrom('2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', null),
    'application.user.lastname': fc.constantFrom('Xu', 'Lee'),
    'application.rating': fc.option(fc.integer({ min: 1, max: 5 })),
    'WAS(application.rating)': fc.option(fc.integer({ min: 1, max: 5 })),
    'CHANGED(application.rating)': fc.boolean(),
    'opportunity.location': fc.constantFrom('Berlin', 'Rome', null),
    'opportunity.closing_date': fc.constantFrom('2020-01-01', '2099-01-01', null),
    'opportunity.owner.firstname': fc.constantFrom(...NAMES),
    'opportunity.tags': fc.subarray(['a', 'b']),
    'notification_subscription.disabled_reason': fc.constantFrom('gone', 'failing', null),
  },
  // Every snapshot has all former values. A former value cannot be read later, so the result would stay unknown without
  // it.
  { requiredKeys: ['WAS(application.rating)', 'CHANGED(application.rating)'] },
);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create topic' as const), topic }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace topic' as const), which, topic }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete topic' as const), which }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), which, window }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace subscription' as const), which, window }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete subscription' as const, 'disable' as const, 'enable' as const),
      which,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      type: types,
      subjectId: fc.integer({ min: 1, max: 50 }),
      facts,
      seconds: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -7, max: 12 }) }, fc.constant(PAST)),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'match' as const }) },
);

/** The topics and subscriptions of one client. A client changes only its own. */
export class World {
  private readonly topicIds: number[] = [];
  private readonly subscriptions: Subscribed[] = [];

  /** The beginning of the test. It is in the future, so that every period can start after it is written. */
  private readonly beginning = Date.now() - PAST * 500;

  constructor(private readonly database: Database) {}

  async take(one: Step): Promise<void> {
    if (one.kind === 'match') return;
    if (one.kind === 'event') {
      const { type, subjectId, facts: given, seconds } = one;
      const own = Object.fromEntries(
        Object.entries(given).filter(([text]) => datapathIn(text).startsWith(EVENT_ROOTS[type])),
      );
      const event = { type, subjectId, facts: own, occurred: this.inSeconds(seconds) };
      await recordEvent(this.database, { ...event, ...this.aboutSubscription(type, subjectId) });
      return;
    }
    await this.database.transaction((transaction) => this.change(transaction, one));
  }

  private async change(transaction: Transaction, one: Exclude<Step, { kind: 'match' | 'event' }>): Promise<void> {
    if (one.kind === 'create topic') {
      this.topicIds.push((await createTopic(transaction, valuesOf(one.topic))).id);
      return;
    }
    const topicId = this.topicIds[one.which % this.topicIds.length];
    const subscription = this.subscriptions[one.which % this.subscriptions.length];
    if (one.kind === 'replace topic' && topicId) await replaceTopic(transaction, topicId, valuesOf(one.topic));
    if (one.kind === 'delete topic' && topicId) await deleteTopic(transaction, topicId);
    if (one.kind === 'subscribe' && topicId) {
      const created = await createSubscription(transaction, topicId, this.windowValues(one.window), secretBox);
      if (created) this.subscriptions.push({ topicId, id: created.subscription.id });
    }
    if (!subscription) return;
    if (one.kind === 'replace subscription')
      await replaceSubscription(transaction, subscription, this.windowValues(one.window));
    if (one.kind === 'delete subscription') await deleteSubscription(transaction, subscription);
    if (one.kind === 'disable') await disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER);
    if (one.kind === 'enable') await enableSubscription(transaction, subscription.id);
  }

  /**
   * Returns the subject of an event about a subscription or a delivery: one of the subscriptions of this world. It may
   * be deleted. Events of other types get no fixed subject.
   */
  private aboutSubscription(type: EventType, which: number): EventFixture {
    const id = this.subscriptions[which % this.subscriptions.length]?.id;
    if (id === undefined) return {};
    if (EVENT_ROOTS[type] === 'notification_subscription') return { subjectId: id };
    if (EVENT_ROOTS[type] !== 'notification_delivery') return {};
    return { facts: { 'notification_delivery.status': 'exhausted', 'notification_delivery.subscription.id': id } };
  }

  private inSeconds(seconds: number): Date {
    return new Date(this.beginning + seconds * 1_000);
  }

  private windowValues({ start, end }: Window): SubscriptionValues {
    return {
      start_dt: start === null ? null : this.inSeconds(start),
      end_dt: end === null ? null : this.inSeconds(end),
      destination_url: url,
    };
  }
}

const valuesOf = ({ type, expression }: TopicDraft): TopicValues => ({
  type,
  name: 'a topic',
  description: null,
  expression,
  datapaths: checkTopicExpression(type, expression).datapaths,
});
