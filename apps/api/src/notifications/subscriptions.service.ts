import {
  attachToEndpoint,
  checkQuotas,
  createSubscription,
  deleteSubscription,
  disableSubscription,
  enableSubscription,
  type Endpoint,
  endpointIdOf,
  leaveEndpoint,
  lockEndpointRow,
  lockSubscription,
  momentSchema,
  NotFoundError,
  notificationEndpoints,
  notificationSubscriptions,
  ownerStatement,
  readItem,
  readKeyAccess,
  readTopicsOf,
  replaceSubscription,
  rotateEndpointKey,
  SecretBox,
  SIGNING_KEY_PURPOSE,
  type Subscription,
  type SubscriptionKey,
  type SubscriptionValues,
  toValidationError,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { message } from '@ats/message';
import { runStatement } from '@ats/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { type ItemBody } from '../collections/item-body.js';
import { checkOwners, type Owners } from '../collections/owner.guard.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';
import { Destinations } from './destinations.js';
import { ownerFor } from './owners.js';
import { shownKeys } from './shown-keys.js';
import { checkTopicScopes } from './topic-expression.js';

const TYPE = 'notification_subscription';

/**
 * Turns an error of the database into a violation. When `end_dt` passes between the check and the write, the database
 * reports the same violation as the check.
 */
const rethrow = (error: unknown): never => {
  throw toValidationError(error, notificationSubscriptions);
};

const ADMIN_SCOPE = notificationEndpoints.adminScope as Scope;

/** Returns the text of the 403 for an endpoint with another owner. */
const needsOwner = (scope: Scope): ReturnType<typeof message> =>
  message`The endpoint has another owner: this needs a credential of the owner, or the scope ${scope}`;

/** A valid body of a subscription. It has a `destination_url`, an `endpoint_id` or both. */
export type SubscriptionBody = Omit<SubscriptionValues, 'destination_url'> & {
  readonly destination_url?: string;
  /**
   * Id of the endpoint. Null asks for a new endpoint of the subscription's own. When it is absent, the endpoint does
   * not change.
   */
  readonly endpoint_id?: number | null;
};

const OTHER_DESTINATION: Violation = {
  path: '/destination_url',
  code: 'invalid',
  info: message`the endpoint does not send to this destination_url: change it, or name a different one in endpoint_id`,
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

  /** Creates a subscription. @returns its id */
  async create(work: Work, topicId: number, body: SubscriptionBody): Promise<number> {
    const { endpoint_id, ...values } = body;
    const { transaction } = work;
    const owner_id = (await ownerFor(work, notificationSubscriptions, { ...values })) ?? null;
    const endpoint = isGiven(endpoint_id) ? await this.#joinable(work, body) : undefined;
    const destination_url = endpoint ? endpoint.destination_url : (values.destination_url ?? null);
    const quotaColumns = { topic_id: topicId, destination_url, endpoint_id: endpoint?.id ?? null };
    await checkQuotas(transaction, notificationSubscriptions, quotaColumns);
    const created = await createSubscription(
      transaction,
      topicId,
      { ...values, destination_url, owner_id },
      this.#secretBox,
    ).catch(rethrow);
    if (!created) throw new NotFoundError('notification_topic', topicId);
    const { id } = created.subscription;
    if (endpoint) await attachToEndpoint(transaction, id, endpoint.id, this.#secretBox);
    return id;
  }

  /**
   * Reads a subscription and locks it until the transaction ends. With `joinedId`, also locks the subscription that has
   * this endpoint as its own endpoint.
   * @param joinedId  the endpoint that a body names
   * @throws {NotFoundError} when the topic has no such subscription
   */
  async lock({ transaction }: Work, key: SubscriptionKey, joinedId?: number | null): Promise<Subscription> {
    const subscription = await lockSubscription(transaction, key, joinedId);
    if (!subscription) throw new NotFoundError(TYPE, key.id);
    return subscription;
  }

  /** Replaces a subscription. @returns `new` when the subscription got a new key */
  async replace(work: Work, key: SubscriptionKey, body: SubscriptionBody): Promise<'new' | undefined> {
    const { transaction } = work;
    const before = await this.lock(work, key, body.endpoint_id);
    const { endpoint_id = before.endpoint_id, destination_url = before.destination_url, ...others } = body;
    await ownerFor(work, notificationSubscriptions, { ...others }, before);
    if (endpoint_id !== null && endpoint_id !== before.endpoint_id) {
      const { id, destination_url: url } = await this.#joinable(work, body, before);
      await this.#checkTopic(work, key.topicId);
      await checkQuotas(
        transaction,
        // Checks the quota of a URL only when the URL is new. The quota of the stored URL already counts this
        // subscription.
        notificationSubscriptions,
        { topic_id: key.topicId, destination_url: url, endpoint_id },
        url === before.destination_url ? ['endpoint_id'] : ['endpoint_id', 'destination_url'],
      );
      await replaceSubscription(transaction, key, { ...others, destination_url: before.destination_url }).catch(
        rethrow,
      );
      await attachToEndpoint(transaction, key.id, id, this.#secretBox);
      return undefined;
    }
    const isNew = endpoint_id === null && (await leaveEndpoint(transaction, key.id, this.#secretBox)) !== null;
    if (isNew || destination_url !== before.destination_url) await this.#checkTopic(work, key.topicId);
    if (endpoint_id !== null && destination_url !== before.destination_url) {
      const { own_subscription_id } = await lockEndpointRow(transaction, before.endpoint_id);
      if (own_subscription_id === null) throw new ValidationError(notificationSubscriptions.name, [OTHER_DESTINATION]);
    }
    await replaceSubscription(transaction, key, { ...others, destination_url }).catch(rethrow);
    return isNew ? 'new' : undefined;
  }

  /**
   * Checks the scopes of a credential that sends the messages of a topic to another destination. It needs the same
   * scopes as for a new subscription.
   * @throws {Problem} 403 when the credential lacks a scope of the expression
   */
  async #checkTopic({ transaction, scopes }: Work, topicId: number): Promise<void> {
    for (const topic of await readTopicsOf(transaction, { topicId })) checkTopicScopes(scopes, topic, false);
  }

  /**
   * Locks the endpoint that a body names.
   * @throws {Problem} 403 when another recruiter or another credential owns the endpoint; also when the endpoint
   *   belongs to a single subscription without an owner, because every client might change the endpoint once it is
   *   shared
   * @throws {ValidationError} when the endpoint does not exist, or has another destination than the body
   */
  async #joinable(
    work: Work,
    { endpoint_id, destination_url }: SubscriptionBody,
    before?: Pick<Endpoint, 'destination_url'>,
  ): Promise<Endpoint> {
    const endpoint = await lockEndpointRow(work.transaction, Number(endpoint_id)).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      const violation = { path: '/endpoint_id', code: 'invalid', info: error.info } as const;
      throw new ValidationError(notificationSubscriptions.name, [violation]);
    });
    await this.#checkEndpointOwners(work, endpoint.id);
    if (endpoint.own_subscription_id !== null && endpoint.owner_id === null)
      checkScope(work.scopes, ADMIN_SCOPE, message`The credential lacks the scope ${ADMIN_SCOPE}`);
    // A PUT may repeat the stored destination. The subscription gets the destination of the new endpoint nevertheless.
    const allowed: readonly unknown[] = [undefined, before?.destination_url, endpoint.destination_url];
    if (!allowed.includes(destination_url))
      throw new ValidationError(notificationSubscriptions.name, [OTHER_DESTINATION]);
    return endpoint;
  }

  /** Checks the owners of an endpoint. @throws {Problem} 403 when another recruiter or credential owns the endpoint */
  async #checkEndpointOwners(work: Work, endpointId: number): Promise<void> {
    const [owners] = await runStatement<Owners>(work.transaction, ownerStatement(notificationEndpoints), [endpointId]);
    if (owners) checkOwners(work, owners, ADMIN_SCOPE, needsOwner(ADMIN_SCOPE));
  }

  async remove({ transaction }: Work, key: SubscriptionKey): Promise<void> {
    if (!(await deleteSubscription(transaction, key))) throw new NotFoundError(TYPE, key.id);
  }

  async enable(work: Work, key: SubscriptionKey): Promise<void> {
    await this.lock(work, key);
    await enableSubscription(work.transaction, key.id);
  }

  async disable(work: Work, key: SubscriptionKey): Promise<void> {
    const { transaction, recruiterId, settings } = work;
    await this.lock(work, key);
    await disableSubscription(transaction, key.id, 'requested', { recruiterId, settings });
  }

  /**
   * Rotates the key of the endpoint of a subscription.
   * @throws {Problem} 403 when another recruiter or another credential owns the endpoint
   */
  async rotateKey(work: Work, key: SubscriptionKey, overlapSeconds: number): Promise<void> {
    const endpointId = await endpointIdOf(work.transaction, key);
    await this.#checkEndpointOwners(work, endpointId);
    await rotateEndpointKey(work.transaction, endpointId, { overlapSeconds, secretBox: this.#secretBox });
  }

  /**
   * Reads the representation with the signing keys, as JSON text. The keys are null unless the credential owns the
   * subscription or is an admin. For a shared endpoint, its creator counts as the owner.
   * @param made  `new` when this request of the credential has made the newest key; the answer then shows this key
   * @throws {NotFoundError} when the topic has no such subscription
   * Source: docs/reference/signing.md, "Reading keys".
   */
  async read(work: Work, { topicId, id }: SubscriptionKey, made?: 'new'): Promise<string> {
    const text = await readItem(work.transaction, notificationSubscriptions, id, work.settings, topicId);
    const shown = JSON.parse(text) as { readonly endpoint: { readonly id: number } };
    const owner = { type: 'subscription', id } as const;
    const { endpointId, keys, readerId } = await readKeyAccess(work.transaction, owner, this.#secretBox);
    // Starts again when the two statements above saw different endpoints, because another transaction has moved the
    // subscription between them.
    if (endpointId !== shown.endpoint.id) return this.read(work, { topicId, id }, made);
    const isReader = readerId === work.credentialId || allows(work.scopes, 'notifications:admin');
    return JSON.stringify({ ...shown, ...shownKeys(keys, isReader, made) });
  }

  /**
   * Checks the period and the destination in a body. The body may also violate its schema, so that one answer reports
   * all violations. The check queries name servers: call it before the transaction.
   * @throws {ValidationError} with the violations of the schema, the period and the destination
   */
  async check(body: ItemBody): Promise<SubscriptionBody> {
    const { start_dt, end_dt, destination_url, endpoint_id } = isJsonObject(body.given) ? body.given : {};
    const violations: Violation[] = [...(body.violations ?? [])];
    const [start, end] = [momentOf(start_dt), momentOf(end_dt)];
    const isStartValid = start !== undefined || !isGiven(start_dt);
    if (end && isStartValid && end <= (start ?? new Date()))
      violations.push({ path: '/end_dt', code: 'invalid', info: message`expected a timestamp after start_dt` });
    if (isJsonObject(body.given) && !isGiven(destination_url) && !isGiven(endpoint_id))
      violations.push({ path: '/destination_url', code: 'missing' });
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
export function valuesOf(body: ItemBody): SubscriptionBody {
  if (body.violations) throw new ValidationError(notificationSubscriptions.name, body.violations);
  const { start_dt, end_dt, destination_url, endpoint_id, owner_id } = body.data;
  return {
    ...(owner_id !== undefined && { owner_id: owner_id as number | null }),
    start_dt: momentOf(start_dt) ?? null,
    end_dt: momentOf(end_dt) ?? null,
    ...(isGiven(destination_url) && { destination_url: destination_url as string }),
    ...(endpoint_id !== undefined && { endpoint_id: endpoint_id as number | null }),
  };
}
