import { notificationSubscriptions, representationSchema, type StoredAnswer, withProperties } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendAnswer } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';

/** As lists show it. */
export const SUBSCRIPTION_SCHEMA = {
  name: notificationSubscriptions.name,
  schema: representationSchema(notificationSubscriptions),
};

const withKeys = {
  name: `${notificationSubscriptions.name}_with_keys`,
  schema: withProperties(SUBSCRIPTION_SCHEMA.schema, {
    signing_key: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'Key of the signatures: this text itself, not the bytes it spells.',
    },
    standard_webhooks_secret: {
      type: 'string',
      description: 'The same key as libraries of Standard Webhooks take it.',
    },
    next_signing_key: { type: ['string', 'null'], description: 'During a rotation, the key that takes over.' },
    next_key_from_dt: { type: ['string', 'null'], format: 'date-time', description: 'When it takes over.' },
  }),
};

export const answerWithKeys = {
  status: 200,
  description: 'The subscription with its keys.',
  schema: withKeys,
  headers: ['ETag'],
} as const;

/** Sends single subscriptions: with their keys, to whom no cache may keep them. Reading a key is logged. CONTRACT.md 8. */
@Injectable()
export class ShownSubscription {
  send({ actor }: RequestContext, reply: FastifyReply, answer: StoredAnswer): void {
    const { id } = JSON.parse(answer.body) as { readonly id: number };
    reply.request.log.info({ credential_id: actor.credentialId, subscription_id: id }, 'a signing key was shown');
    sendAnswer(reply.header('cache-control', 'no-store'), answer);
  }
}
