import {
  checkQuotas,
  AUTHENTICATION_PURPOSE,
  createEndpoint,
  CUSTOM_HEADERS_PURPOSE,
  deleteEndpoint,
  type Endpoint,
  type EndpointValues,
  lockEndpointRow,
  notificationEndpoints,
  readAuthentication,
  readCertificateId,
  readCustomHeaders,
  readDeliveryModes,
  readItem,
  readKeyAccess,
  readTopicsOf,
  replaceAuthentication,
  replaceCustomHeaders,
  replaceDeliveryModes,
  replaceEndpoint,
  rotateEndpointKey,
  SecretBox,
  SIGNING_KEY_PURPOSE,
  ValidationError,
  type Violation,
  type WantedAuthentication,
  writeSchema,
} from '@ats/domain';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { type ItemBody } from '../collections/item-body.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows } from '../vocabulary/scopes.js';
import {
  authenticationSchema,
  authorizationViolations,
  shownAuthentication,
  tokenUrlOf,
} from './authentication.dto.js';
import { checkMayUse } from './client-certificates.service.js';
import { customHeadersSchema, shownHeaders } from './custom-headers.dto.js';
import { deliveryModes, type WantedModes } from './delivery-modes.dto.js';
import { Destinations } from './destinations.js';
import { type EndpointTopic, EndpointTopics, endpointTopicsSchema } from './endpoint-topics.js';
import { ownerFor, ownerViolations } from './owners.js';
import { shownKeys } from './shown-keys.js';
import { checkTopicScopes } from './topic-expression.js';

/** A valid body of an endpoint. */
export type EndpointBody = Pick<EndpointValues, 'name'> & {
  /** The destination. When it is absent or null, messages are not sent, but clients can read them as a stream. */
  readonly destination_url?: string | null;
  readonly owner_id?: number | null;
  readonly emails_owner?: boolean;
  readonly custom_headers?: Readonly<Record<string, string | null>>;
  readonly authentication?: WantedAuthentication;
} & WantedModes;
/** A valid body of a new endpoint. */
export type NewEndpointBody = EndpointBody & { readonly topics?: readonly EndpointTopic[] };

/** The schema of bodies of endpoints. */
export const endpointSchema = writeSchema(notificationEndpoints.type).extend({
  custom_headers: customHeadersSchema,
  authentication: authenticationSchema,
  ...deliveryModes,
});
/** The schema of bodies of new endpoints. */
export const newEndpointSchema = endpointSchema.extend({ topics: endpointTopicsSchema });

@Injectable()
export class EndpointsService {
  readonly #secretBox: SecretBox;
  readonly #headersBox: SecretBox;
  readonly #authenticationBox: SecretBox;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly destinations: Destinations,
    private readonly topics: EndpointTopics,
  ) {
    this.#secretBox = new SecretBox(environment, SIGNING_KEY_PURPOSE);
    this.#headersBox = new SecretBox(environment, CUSTOM_HEADERS_PURPOSE);
    this.#authenticationBox = new SecretBox(environment, AUTHENTICATION_PURPOSE);
  }

  /** Creates an endpoint, with its topics and their subscriptions. @returns the id of the new endpoint */
  async create(work: Work, body: NewEndpointBody): Promise<number> {
    const owner_id = (await ownerFor(work, notificationEndpoints, { ...body })) ?? null;
    await checkQuotas(work.transaction, notificationEndpoints, { owner_id });
    const { name, destination_url = null, emails_owner = false } = body;
    const values = { name, destination_url, owner_id, emails_owner, credentialId: work.credentialId };
    const id = await createEndpoint(work.transaction, values, this.#secretBox);
    await this.#replaceModes(work, id, body, { destination_url });
    await this.topics.create(work, id, body.topics ?? []);
    return id;
  }

  /**
   * Replaces an endpoint. A new destination gets the messages of all topics of the endpoint, so it needs the same
   * scopes as a subscription to each of them.
   * @throws {Problem} 403 when the credential lacks a scope for the new destination or the new owner
   */
  async replace(work: Work, id: number, body: EndpointBody): Promise<void> {
    const before = await lockEndpointRow(work.transaction, id);
    const { name, destination_url = null, emails_owner = false } = body;
    if (destination_url !== null && destination_url !== before.destination_url)
      for (const topic of await readTopicsOf(work.transaction, { endpointId: id }))
        checkTopicScopes(work.scopes, topic, false);
    const owner_id = await ownerFor(work, notificationEndpoints, { ...body }, before);
    const values = {
      name,
      destination_url,
      emails_owner,
      owner_id: owner_id === undefined ? before.owner_id : owner_id,
    };
    await this.#checkShared(work, body, { ...before, owner_id: values.owner_id });
    await replaceEndpoint(work.transaction, id, values, this.#secretBox);
    await this.#replaceModes(work, id, body, before);
  }

  /**
   * Checks the quota of endpoints when the endpoint of a single subscription becomes a shared endpoint, which the quota
   * counts.
   */
  async #checkShared({ transaction }: Work, body: EndpointBody, before: Endpoint): Promise<void> {
    const { custom_headers: headers = {}, authentication, batch, destination_url: url } = body;
    const becomesShared = isGiven(authentication) || isGiven(batch) || Object.keys(headers).length > 0 || !isGiven(url);
    if (before.own_subscription_id !== null && becomesShared)
      await checkQuotas(transaction, notificationEndpoints, { owner_id: before.owner_id });
  }

  async #replaceModes(
    work: Work,
    id: number,
    { custom_headers: headers = {}, authentication = null, destination_url: url = null, ...modes }: EndpointBody,
    before: Pick<EndpointValues, 'destination_url'>,
  ): Promise<void> {
    const { transaction } = work;
    // Keeps stored secrets only for exactly the same URL. Even at the same server, another path can belong to somebody
    // else.
    const options = { ofSigningKeys: this.#secretBox, keepsSecret: url === before.destination_url };
    await replaceCustomHeaders(transaction, id, headers, { ...options, ofSecret: this.#headersBox });
    const { ordering = 'subject', throttle = null, batch = null } = modes;
    await replaceDeliveryModes(transaction, id, { ordering, throttle, batch }, this.#secretBox);
    if (authentication && 'certificate_id' in authentication) {
      const { certificate_id } = authentication;
      const isPresent = options.keepsSecret && certificate_id === (await readCertificateId(transaction, id));
      if (!isPresent) await checkMayUse(work, certificate_id);
    }
    await replaceAuthentication(transaction, id, authentication, { ...options, ofSecret: this.#authenticationBox });
  }

  async rotateKey({ transaction }: Work, id: number, overlapSeconds: number): Promise<void> {
    await rotateEndpointKey(transaction, id, { overlapSeconds, secretBox: this.#secretBox });
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteEndpoint(transaction, id);
  }

  /**
   * Reads the representation with the signing keys and the custom headers, as JSON text. Keys and the values of headers
   * are null unless the credential created the endpoint or is an admin. When a subscription has an endpoint of its own,
   * its owner counts as the creator.
   * @throws {NotFoundError} when there is no such endpoint
   */
  async read(work: Work, id: number, made?: 'new'): Promise<string> {
    return this.withKeys(work, id, await readItem(work.transaction, notificationEndpoints, id, work.settings), made);
  }

  /**
   * Adds the signing keys and the custom headers to a representation.
   * @throws {NotFoundError} when the endpoint was deleted meanwhile
   */
  async withKeys(work: Work, id: number, text: string, made?: 'new'): Promise<string> {
    const { keys, readerId } = await readKeyAccess(work.transaction, { type: 'endpoint', id }, this.#secretBox);
    const isReader = readerId === work.credentialId || allows(work.scopes, 'notifications:admin');
    const headers = await readCustomHeaders(work.transaction, id, this.#headersBox);
    const authentication = await readAuthentication(work.transaction, id, this.#authenticationBox);
    return JSON.stringify({
      ...(JSON.parse(text) as object),
      ...(await readDeliveryModes(work.transaction, id)),
      authentication: shownAuthentication(authentication, await readCertificateId(work.transaction, id)),
      custom_headers: shownHeaders(headers, isReader),
      ...shownKeys(keys, isReader, made),
    });
  }

  /**
   * Checks the destination, the expressions and the owner in a body. The body may also violate its schema, so that one
   * answer reports all violations. The check queries name servers: call it before the transaction.
   * @param inWork  runs a part of the check in a transaction of its own
   * @throws {ValidationError} with all violations
   */
  async check(
    body: ItemBody,
    inWork: (check: (work: Work) => Promise<readonly Violation[]>) => Promise<readonly Violation[]>,
  ): Promise<NewEndpointBody> {
    const given = isJsonObject(body.given) ? body.given : {};
    const violations: Violation[] = [...(body.violations ?? [])];
    const url = urlSchema?.safeParse(given['destination_url']).data;
    for (const [path, checked] of [
      ['/destination_url', url],
      ['/authentication/token_url', tokenUrlOf(given)],
    ] as const) {
      const info = typeof checked === 'string' ? await this.destinations.refusalOf(checked) : null;
      if (info) violations.push({ path, code: 'invalid', info });
    }
    violations.push(...authorizationViolations(given));
    if ('topics' in given) violations.push(...(await inWork((work) => this.topics.violations(work, given['topics']))));
    if (violations.length > 0) {
      violations.push(...(await inWork((work) => ownerViolations(work, notificationEndpoints, given))));
      throw new ValidationError(notificationEndpoints.name, violations);
    }
    return endpointBody(body);
  }
}

const urlSchema = notificationEndpoints.type.attributes['destination_url']?.schema;

/**
 * Returns the values that a body sets.
 * @throws {ValidationError} with the violations of the schema
 */
export function endpointBody(body: ItemBody): NewEndpointBody {
  // PUT and PATCH call this function a second time, under the lock. Another request may have set one of two values that
  // exclude each other since the first check.
  const violations = body.violations ?? authorizationViolations(body.given);
  if (violations.length > 0) throw new ValidationError(notificationEndpoints.name, violations);
  return (body as { readonly data: unknown }).data as NewEndpointBody;
}
