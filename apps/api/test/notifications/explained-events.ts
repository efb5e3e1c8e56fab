import { type Item } from '../support/answer.js';
import { expectStatus, type Factories } from '../support/factories.js';
import { type Api } from '../support/api-harness.js';

export interface Verdict {
  readonly step: string;
  readonly ok: boolean | null;
  readonly info: string;
  readonly subscription: { readonly id: number; readonly url: string } | null;
  readonly parts: readonly object[] | null;
}

export interface Explanation {
  readonly event_id: number;
  readonly notified: boolean | null;
  readonly verdicts: readonly Verdict[];
}

export const NAME = 'application.user.firstname';
export const move = async (api: Api, { id }: Item, state: string): Promise<number> => {
  expectStatus(200, await api.put(`/applications/${id}/process_state`, { state }));
  return (await api.database.query<{ id: number }>('SELECT max(id) AS id FROM domain_events'))[0]?.id ?? 0;
};
/**
 * Raises an event about an application of a candidate with this name.
 * @returns the id of the event
 */
export const raise = async (api: Api, make: Factories, firstname: string): Promise<number> =>
  move(api, await make.application({ user_id: (await make.candidate({ firstname })).id }), 'interview');
export const explain = async (api: Api, topicId: number, eventId: number): Promise<Explanation> =>
  expectStatus(200, await api.get(`/notification_topics/${topicId}/explain?event_id=${eventId}`)).json as Explanation;
export const steps = ({ verdicts }: Explanation): unknown[] =>
  verdicts.map(({ step, ok, subscription }) => (subscription ? [step, ok, subscription.id] : [step, ok]));
export const infoOf = ({ verdicts }: Explanation, step: string): string =>
  verdicts.find((verdict) => verdict.step === step)?.info ?? '';

/**
 * Writes the same rows as the notifier when it matches an event: it marks the event as done, and stores deliveries and
 * values that were read late.
 */
export async function match(
  api: Api,
  eventId: number,
  {
    subscriptions = [],
    lateValues,
    status = 'delivered',
  }: { subscriptions?: readonly Item[]; lateValues?: object; status?: string } = {},
): Promise<void> {
  const { database } = api;
  if (lateValues)
    await database.query('INSERT INTO notification_late_facts (event_id, facts) VALUES ($1, $2)', [
      eventId,
      JSON.stringify(lateValues),
    ]);
  await database.query(
    `UPDATE domain_events SET status = 'done', matched_dt = clock_timestamp(), matched_version = (SELECT version FROM notification_index_version) WHERE id = $1`,
    [eventId],
  );
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status, attempts, last_status_code,
       last_error, next_attempt_dt, queued_dt, lease_token, lease_until_dt, finished_dt)
     SELECT e.occurred_dt, gen_random_uuid(), e.id, s.id, s.topic_id, 1, 1, '{}', $3, 2, 503, 'status', now(), now(), gen_random_uuid(), now(), now()
     FROM domain_events e, notification_subscriptions s WHERE e.id = $1 AND s.id = ANY($2)`,
    [eventId, subscriptions.map(({ id }) => id), status],
  );
}

export async function makeTopic(
  make: Factories,
  expression: string | null,
): Promise<{ readonly topic: Item; readonly subscription: Item; readonly path: string }> {
  const topic = await make.topic({ expression });
  const subscription = await make.subscription({ topicId: topic.id });
  return { topic, subscription, path: `/notification_topics/${topic.id}/subscriptions/${subscription.id}` };
}
