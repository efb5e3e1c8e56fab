import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { addressOf } from '../limits/address.js';
import { unauthorized } from '../request/context-builder.js';
import { CredentialStore, tokenOf } from '../request/credential-store.js';

/** The client of a request that may wait. */
export interface WaitingClient {
  /** Aborts when the client has closed the connection. */
  readonly gone: AbortSignal;
  /** Releases what the request holds, such as its place among the concurrent requests. */
  readonly release: () => void;
  /**
   * Checks the credential again.
   * @returns its present scopes
   * @throws {Problem} 401 when the credential was revoked or has expired while the request waited
   */
  readonly check: () => Promise<ReadonlySet<string>>;
}

/** Keeps the clients of waiting requests. */
@Injectable()
export class WaitingClients {
  constructor(private readonly credentials: CredentialStore) {}

  of(request: FastifyRequest, reply: FastifyReply): WaitingClient {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return {
      gone: gone.signal,
      release: () => request.release?.(0),
      check: async () => {
        const sender = { address: addressOf(request), requestId: request.id };
        const credential = await this.credentials.find(tokenOf(request.headers.authorization), sender);
        if (!credential) throw unauthorized(request.headers);
        return new Set(credential.scopes);
      },
    };
  }
}
