import { notificationSubscriptions, representationSchema, type StoredAnswer, withProperties } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendAnswer } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';

/** The representation of a subscription in lists, without its keys. */
export const SUBSCRIPTION_SCHEMA = {
  name: notificationSubscriptions.name,
  schema: representationSchema(notificationSubscriptions),
};

const withKeys = {
  name: `${notificationSubscriptions.name}_with_keys`,
  schema: withProperties(SUBSCRIPTION_SCHEMA.schema, {
    signing_key: {
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{64}$',
      description:
        'The signing key. Use this text itself as the key, not the bytes that its hexadecimal digits stand for. ' +
        'Shown when it is created, and later to the owner of the subscription and with `notifications:admin`.',
    },
    standard_webhooks_secret: {
      type: ['string', 'null'],
      description: 'The same key in the format of Standard Webhooks libraries.',
    },
    next_signing_key: { type: ['string', 'null'], description: 'The new key during a key rotation, otherwise null.' },
    next_key_from_dt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Time at which the new key replaces the old one. Null outside a key rotation.',
    },
  }),
};

const KEYS = ['signing_key', 'standard_webhooks_secret', 'next_signing_key', 'next_key_from_dt'];

export const answerWithKeys = {
  status: 200,
  description: 'The subscription with its keys.',
  schema: withKeys,
  headers: ['ETag'],
} as const;

/** The answer of an operation that makes a key. It shows the keys to every client that may make them. */
export const answerWithNewKeys = { ...answerWithKeys, alwaysShown: KEYS } as const;

/**
 * Sends a subscription with its keys, and logs that they were shown. No cache may store the answer.
 * Source: docs/reference/signing.md, "Storage of keys".
 */
@Injectable()
export class ShownSubscription {
  send({ actor }: RequestContext, reply: FastifyReply, answer: StoredAnswer): void {
    const { id, ...shown } = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
    const { shownProperties, log } = reply.request;
    const hasKey = shown['signing_key'] !== null || shown['next_signing_key'] !== null;
    if (hasKey && (!shownProperties || shownProperties.has('signing_key')))
      log.info({ credential_id: actor.credentialId, subscription_id: id }, 'a signing key was shown');
    sendAnswer(reply.header('cache-control', 'no-store'), answer);
  }
}
