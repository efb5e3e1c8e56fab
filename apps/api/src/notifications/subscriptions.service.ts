import {
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  lockSubscription,
  lockSubscriptionRow,
  momentSchema,
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
} from '@ats/domain';
import { message } from '@ats/message';
import { standardWebhooksSecret } from '@ats/webhook-signing';
import { Inject, Injectable } from '@nestjs/common';
import { type ItemBody } from '../collections/item-body.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
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
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly destinations: Destinations,
  ) {
    this.#secretBox = new SecretBox(environment, SIGNING_KEY_PURPOSE);
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
   * Checks the period and the destination of a body, which may violate its schema, so that one answer reports all
   * violations. The check queries name servers: call it before the transaction.
   * @throws {ValidationError} with the violations of the schema, the period and the destination
   */
  async check(body: ItemBody): Promise<SubscriptionValues> {
    const { start_dt, end_dt, destination_url } = isJsonObject(body.given) ? body.given : {};
    const violations: Violation[] = [...(body.violations ?? [])];
    const [start, end] = [momentOf(start_dt), momentOf(end_dt)];
    const isStartValid = start !== undefined || !isGiven(start_dt);
    if (end && isStartValid && end <= (start ?? new Date()))
      violations.push({ path: '/end_dt', code: 'invalid', info: message`expected a timestamp after start_dt` });
    const url = urlSchema?.safeParse(destination_url).data;
    const refusal = typeof url === 'string' ? await this.destinations.refusalOf(url) : null;
    if (refusal) violations.push({ path: '/destination_url', code: 'invalid', info: refusal });
    if (violations.length > 0) throw new ValidationError(notificationSubscriptions.name, violations);
    return valuesOf(body);
  }
}

const urlSchema = notificationSubscriptions.type.attributes['destination_url']?.schema;

/** Returns a valid timestamp, otherwise undefined. */
function momentOf(value: unknown): Date | undefined {
  const text = momentSchema.safeParse(value).data;
  return text === undefined ? undefined : new Date(text);
}

/**
 * Returns the values that a body sets.
 * @throws {ValidationError} with the violations of the schema
 */
export function valuesOf(body: ItemBody): SubscriptionValues {
  if (body.violations) throw new ValidationError(notificationSubscriptions.name, body.violations);
  const { start_dt, end_dt, destination_url } = body.data;
  return {
    start_dt: momentOf(start_dt) ?? null,
    end_dt: momentOf(end_dt) ?? null,
    destination_url: String(destination_url),
  };
}
