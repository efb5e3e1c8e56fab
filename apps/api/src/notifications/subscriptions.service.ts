import {
  checkQuotas,
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  lockSubscription,
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
import { Inject, Injectable } from '@nestjs/common';
import { type ItemBody } from '../collections/item-body.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows } from '../vocabulary/scopes.js';
import { Destinations } from './destinations.js';
import { ownerFor } from './owners.js';
import { shownKeys } from './shown-keys.js';

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
  async create(work: Work, topicId: number, values: SubscriptionValues): Promise<number> {
    const owner_id = (await ownerFor(work, notificationSubscriptions, { ...values })) ?? null;
    const { destination_url } = values;
    await checkQuotas(work.transaction, notificationSubscriptions, { topic_id: topicId, destination_url });
    const created = await createSubscription(work.transaction, topicId, { ...values, owner_id }, this.#secretBox).catch(
      rethrow,
    );
    if (!created) throw new NotFoundError('notification_topic', topicId);
    return created.subscription.id;
  }

  async replace(work: Work, key: SubscriptionKey, values: SubscriptionValues): Promise<void> {
    const before = await lockSubscription(work.transaction, key);
    if (!before) throw new NotFoundError(TYPE, key.id);
    await ownerFor(work, notificationSubscriptions, { ...values }, before);
    await replaceSubscription(work.transaction, key, values).catch(rethrow);
  }

  async remove({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await deleteSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
  }

  async enable({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await lockSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
    await enableSubscription(transaction, key.id);
  }

  async disable({ transaction, recruiterId, settings }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await lockSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
    await disableSubscription(transaction, key.id, 'requested', { recruiterId, settings });
  }

  async rotateKey({ transaction }: Work, key: SubscriptionKey, overlapSeconds: number): Promise<void> {
    await rotateSigningKey(transaction, key, { overlapSeconds, secretBox: this.#secretBox });
  }

  /**
   * Reads the representation with the signing keys, as JSON text. The keys are null unless the credential owns the
   * subscription or is an admin.
   * @param made  `new` after the credential made the newest key, which the answer then shows
   * @throws {NotFoundError} when the topic has no such subscription
   * Source: docs/reference/signing.md, "Reading keys".
   */
  async read(work: Work, { topicId, id }: SubscriptionKey, made?: 'new'): Promise<string> {
    const text = await readItem(work.transaction, notificationSubscriptions, id, work.settings, topicId);
    const shown = JSON.parse(text) as { readonly owner: { readonly id: number } | null };
    const keys = await readSigningKeys(work.transaction, id, this.#secretBox);
    const isOwn = shown.owner?.id === work.credentialId || allows(work.scopes, 'notifications:admin');
    return JSON.stringify({ ...shown, ...shownKeys(keys, isOwn, made) });
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
  const { start_dt, end_dt, destination_url, owner_id } = body.data;
  return {
    ...(owner_id !== undefined && { owner_id: owner_id as number | null }),
    start_dt: momentOf(start_dt) ?? null,
    end_dt: momentOf(end_dt) ?? null,
    destination_url: String(destination_url),
  };
}
