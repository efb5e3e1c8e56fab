import { createHmac, timingSafeEqual } from 'node:crypto';
import { type DerivedKeys, KeyRing } from '@ats/domain';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { type Environment } from '../config/env.js';

const PURPOSE = 'document-links';
const LIFETIME_S = 5 * 60;

/**
 * The document of a link, and the client that asked for the link. The audit log names this client when the document is
 * downloaded.
 */
export interface LinkedDocument {
  readonly uuid: string;
  readonly credentialId: number;
  readonly recruiterId: number;
}

export interface DocumentLink {
  readonly url: string;
  readonly expires_dt: string;
}

/**
 * Signs links to documents with HMAC-SHA-256. A link needs no credential and ends after 5 minutes.
 * Source: docs/reference/documents.md, "Downloads".
 */
@Injectable()
export class DocumentLinks {
  readonly #keys: DerivedKeys;
  readonly #baseUrl: string;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#keys = new KeyRing(environment).derive(PURPOSE);
    this.#baseUrl = environment.PUBLIC_BASE_URL;
  }

  linkTo({ uuid, credentialId, recruiterId }: LinkedDocument): DocumentLink {
    const expires = Math.ceil(Date.now() / 1_000) + LIFETIME_S;
    const client = `${credentialId}.${recruiterId}`;
    const signature = sign(this.#keys.current.key, { uuid, expires: String(expires), client });
    const query = new URLSearchParams({ expires: String(expires), client, signature });
    return {
      url: `${this.#baseUrl}/documents/${uuid}?${query.toString()}`,
      expires_dt: new Date(expires * 1_000).toISOString(),
    };
  }

  /** Reads a link. Returns null when the link has expired or was changed. */
  open(uuid: string, query: URLSearchParams): LinkedDocument | null {
    const [expires = '', client = '', signature = ''] = ['expires', 'client', 'signature'].map(
      (name) => query.get(name) ?? '',
    );
    const isSigned = this.#keys.all.some(({ key }) => isEqual(sign(key, { uuid, expires, client }), signature));
    if (!isSigned || Number(expires) * 1_000 < Date.now()) return null;
    const [credentialId = 0, recruiterId = 0] = client.split('.').map(Number);
    return { uuid, credentialId, recruiterId };
  }
}

const sign = (key: Buffer, parts: { uuid: string; expires: string; client: string }): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([parts.uuid, parts.expires, parts.client]))
    .digest('base64url');

const isEqual = (expected: string, given: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
};
