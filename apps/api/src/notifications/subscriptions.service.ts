import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  lockSubscription,
  lockSubscriptionRow,
  NotFoundError,
  notificationSubscriptions,
  readItem,
  readSigningKeys,
  replaceSubscription,
  rotateSigningKey,
  SecretBox,
  SIGNING_KEY_PURPOSE,
  type SubscriptionKey,
  type SubscriptionValues,
  toValidationError,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { standardWebhooksSecret } from '@ats/webhook-signing';
import { Inject, Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { Destinations } from './destinations.js';

const TYPE = 'notification_subscription';

/** An `end_dt` can pass between the check and the write. The violation is then the same as that of the check. */
const rethrow = (error: unknown): never => {
  throw toValidationError(error, notificationSubscriptions);
};

@Injectable()
export class SubscriptionsService {
  readonly #secretBox: SecretBox;

  constructor(
    @Inject(ENVIRONMENT) { SECRET_KEY }: Environment,
    private readonly destinations: Destinations,
  ) {
    this.#secretBox = new SecretBox(SECRET_KEY, SIGNING_KEY_PURPOSE);
  }

  /** @returns the id of the new subscription */
  async create({ transaction }: Work, topicId: number, values: SubscriptionValues): Promise<number> {
    const created = await createSubscription(transaction, topicId, values, this.#secretBox).catch(rethrow);
    if (!created) throw new NotFoundError('notification_topic', topicId);
    return created.subscription.id;
  }

  async replace({ transaction }: Work, key: SubscriptionKey, values: SubscriptionValues): Promise<void> {
    if (!(await replaceSubscription(transaction, key, values).catch(rethrow))) throw new NotFoundError(TYPE, key.id);
  }

  async remove({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await deleteSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
  }

  async enable({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await lockSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
    await enableSubscription(transaction, key.id);
  }

  async disable({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await lockSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
    await disableSubscription(transaction, key.id, 'requested');
  }

  async rotateKey({ transaction }: Work, key: SubscriptionKey, overlapSeconds: number): Promise<void> {
    await lockSubscriptionRow(transaction, key);
    await rotateSigningKey(transaction, key.id, { overlapSeconds, secretBox: this.#secretBox });
  }

  /**
   * Reads the representation with the signing keys, as JSON text.
   * @throws {NotFoundError} when the topic has no such subscription
   */
  async read({ transaction, settings }: Work, { topicId, id }: SubscriptionKey): Promise<string> {
    const text = await readItem(transaction, notificationSubscriptions, id, settings, topicId);
    const { current, next } = await readSigningKeys(transaction, id, this.#secretBox);
    return JSON.stringify({
      ...(JSON.parse(text) as object),
      signing_key: current,
      standard_webhooks_secret: standardWebhooksSecret(current),
      next_signing_key: next?.key ?? null,
      next_key_from_dt: next?.fromDt.toISOString() ?? null,
    });
  }

  /**
   * Checks the period and the destination of a valid body. The check queries name servers: call it before the
   * transaction.
   * @throws {ValidationError} with all violations
   */
  async check(body: WriteBody): Promise<SubscriptionValues> {
    const { start_dt, end_dt, destination_url } = body as unknown as {
      readonly start_dt?: string;
      readonly end_dt?: string | null;
      readonly destination_url: string;
    };
    const values = {
      start_dt: start_dt === undefined ? null : new Date(start_dt),
      end_dt: end_dt === undefined || end_dt === null ? null : new Date(end_dt),
      destination_url,
    };
    const violations: Violation[] = [];
    if (values.end_dt && values.end_dt <= (values.start_dt ?? new Date())) {
      violations.push({ path: '/end_dt', code: 'invalid', info: message`expected a timestamp after start_dt` });
    }
    const refusal = await this.destinations.refusalOf(destination_url);
    if (refusal) violations.push({ path: '/destination_url', code: 'invalid', info: refusal });
    if (violations.length > 0) throw new ValidationError(notificationSubscriptions.name, violations);
    return values;
  }
}
