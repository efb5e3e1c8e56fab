import {
  type ClientCertificate,
  type OAuthClient,
  openAuthentication,
  openClientCertificate,
  openCustomHeaders,
  openSigningKeys,
  type SecretBox,
} from '@ats/domain';
import { randomUUID } from 'node:crypto';
import { type MessageHeaders, messageHeaders } from './message-headers.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';

/** The secret boxes that decrypt the values of endpoints: one for each purpose. */
export interface SecretBoxes {
  readonly secretBox: SecretBox;
  readonly headersBox: SecretBox;
  readonly authenticationBox: SecretBox;
  readonly certificateBox: SecretBox;
}

/** The decrypted values that the request of an attempt needs. */
export interface PreparedRequest {
  readonly headers: (authorization?: string) => MessageHeaders;
  readonly oauth: OAuthClient | null;
  readonly certificate: ClientCertificate | null;
}

/**
 * Decrypts the values that the request of an attempt needs.
 * @param batch  the messages of the request, with `delivery` among them
 * @throws {SecretBoxError} when a secret was encrypted with another `SECRET_KEY`
 */
export function prepareRequest(
  delivery: ClaimedDelivery,
  batch: readonly ClaimedDelivery[],
  body: string,
  boxes: SecretBoxes,
): PreparedRequest {
  const { endpoint_id: endpointId, claimed_dt: claimed, secrets } = delivery;
  const keys = openSigningKeys(secrets.keys, { secretBox: boxes.secretBox, now: claimed });
  const message = {
    // A repeated batch can have other messages than the failed batch, so each attempt of a batch has an id of its own.
    messageId: delivery.is_batch ? randomUUID() : delivery.message_id,
    sequence: batch.map(({ sequence }) => sequence).join(','),
    attempt: Math.max(...batch.map(({ attempts }) => attempts)),
    type: delivery.type,
    body,
  };
  const custom = openCustomHeaders(secrets.sealedHeaders, endpointId, boxes.headersBox);
  return {
    headers: (authorization) =>
      messageHeaders(message, keys, {
        sentAt: claimed,
        custom: authorization === undefined ? custom : { ...custom, authorization },
      }),
    oauth: openAuthentication(secrets.sealedAuthentication, endpointId, boxes.authenticationBox),
    certificate: secrets.certificate && openClientCertificate(secrets.certificate, boxes.certificateBox),
  };
}
