import {
  type JsonSchema,
  notificationEndpoints,
  notificationSubscriptions,
  representationSchema,
  type Resource,
  type SigningKeys,
  type StoredAnswer,
  withProperties,
} from '@ats/domain';
import { standardWebhooksSecret } from '@ats/webhook-signing';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendAnswer } from '../request/answer.js';
import { AUTHENTICATION_ANSWER } from './authentication.dto.js';
import { DELIVERY_MODES_ANSWER } from './delivery-modes.dto.js';
import { isGiven } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { type RequestContext } from '../request/request-context.js';
import { HEALTH_PROPERTY } from './shown-health.js';

/**
 * Returns the schemas of the key properties.
 * @param reader  says in the reference which credential may read the keys at any time
 */
const keyProperties = (reader: string): JsonSchema => ({
  signing_key: {
    type: ['string', 'null'],
    pattern: '^[0-9a-f]{64}$',
    description:
      'The signing key. Use this text itself as the key, not the bytes that its hexadecimal digits stand for. ' +
      `Shown when it is created, and later to ${reader} and with \`notifications:admin\`.`,
  },
  standard_webhooks_secret: {
    type: ['string', 'null'],
    description: 'The signing key in the format of Standard Webhooks libraries.',
  },
  next_signing_key: { type: ['string', 'null'], description: 'The new key during a key rotation, otherwise null.' },
  next_key_from_dt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Time at which the new key replaces the old one. Null outside a key rotation.',
  },
});

const KEYS = ['signing_key', 'standard_webhooks_secret', 'next_signing_key', 'next_key_from_dt'] as const;

interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

interface KeyAnswer {
  readonly status: number;
  readonly description: string;
  readonly schema: NamedSchema;
  readonly headers: readonly ['ETag'];
}

/** The answers of operations on items that have signing keys. */
interface KeyAnswers {
  /** The representation of the item in lists. It has no keys. */
  readonly inLists: NamedSchema;
  /** Names of the properties of a single item that are not in the model. */
  readonly further: readonly string[];
  readonly withKeys: KeyAnswer;
  /** The answer of an operation that makes a key. It shows the new key to every client that may call the operation. */
  readonly withNewKeys: KeyAnswer & { readonly alwaysShown: readonly string[] };
}

/** Properties of an item besides the properties of the model and the keys. */
interface FurtherProperties {
  /** Properties that lists show, too. */
  readonly listed?: JsonSchema;
  /** Properties that a single item shows, but a list does not. */
  readonly secrets?: JsonSchema;
}

function keyAnswers(
  resource: Resource,
  one: string,
  reader: string,
  { listed = {}, secrets = {} }: FurtherProperties = {},
): KeyAnswers {
  const inLists = { name: resource.name, schema: withProperties(representationSchema(resource), listed) };
  const properties = { ...secrets, ...keyProperties(reader) };
  const withKeys = {
    status: 200,
    description: `The ${one} with its keys.`,
    schema: {
      name: `${resource.name}_with_keys`,
      schema: withProperties(inLists.schema, properties),
    },
    headers: ['ETag'],
  } as const;
  return {
    inLists,
    further: Object.keys({ ...listed, ...properties }),
    withKeys,
    withNewKeys: { ...withKeys, alwaysShown: KEYS },
  };
}

export const SUBSCRIPTION_ANSWERS = keyAnswers(
  notificationSubscriptions,
  'subscription',
  'the owner of the subscription',
);
export const ENDPOINT_ANSWERS = keyAnswers(
  notificationEndpoints,
  'endpoint',
  'the credential that created the endpoint',
  {
    listed: HEALTH_PROPERTY,
    secrets: {
      ...DELIVERY_MODES_ANSWER,
      authentication: AUTHENTICATION_ANSWER,
      custom_headers: {
        type: 'object',
        additionalProperties: { type: ['string', 'null'] },
        description: 'The headers that every message gets. The values are shown to those who may read the signing key.',
      },
    },
  },
);

/**
 * Returns the key properties of an item.
 * @param isReader  true for a credential that may read the keys at any time
 * @param made  `new` when this request of the credential has made the newest key; the answer then shows this key
 * Source: docs/reference/signing.md, "Reading keys".
 */
export function shownKeys(
  { current, next }: SigningKeys,
  isReader: boolean,
  made?: 'new',
): Readonly<Record<(typeof KEYS)[number], string | null>> {
  const key = isReader || (made && !next) ? current : null;
  return {
    signing_key: key,
    standard_webhooks_secret: key === null ? null : standardWebhooksSecret(key),
    next_signing_key: isReader || made ? (next?.key ?? null) : null,
    next_key_from_dt: next?.fromDt.toISOString() ?? null,
  };
}

/** True when an object has a property with a value other than null. */
const hasValue = (headers: unknown): boolean => isJsonObject(headers) && Object.values(headers).some(isGiven);

/**
 * Sends an item with its keys and custom headers, and logs that they were shown. No cache may store the answer.
 * Source: docs/reference/signing.md, "Storage of keys".
 */
@Injectable()
export class ShownKeys {
  /** Sends the item. @param idName  the name of the id of the item in the log */
  send(
    { actor }: RequestContext,
    reply: FastifyReply,
    answer: StoredAnswer,
    idName: 'subscription_id' | 'endpoint_id' = 'subscription_id',
  ): void {
    const { id, ...shown } = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
    const { shownProperties, log } = reply.request;
    const isShown = (name: string): boolean => !shownProperties || shownProperties.has(name);
    const hasKey = isGiven(shown['signing_key']) || isGiven(shown['next_signing_key']);
    if (hasKey && isShown('signing_key'))
      log.info({ credential_id: actor.credentialId, [idName]: id }, 'a client read a signing key');
    if (hasValue(shown['custom_headers']) && isShown('custom_headers'))
      log.info({ credential_id: actor.credentialId, [idName]: id }, 'a client read the custom headers of an endpoint');
    sendAnswer(reply.header('cache-control', 'no-store'), answer);
  }
}
