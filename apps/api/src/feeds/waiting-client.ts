import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { addressOf } from '../limits/address.js';
import { unauthorized } from '../request/context-builder.js';
import { CredentialStore, type KnownCredential, tokenOf } from '../request/credential-store.js';

/** The client of a request that may wait. */
export interface WaitingClient {
  /** Aborts when the client has closed the connection. */
  readonly gone: AbortSignal;
  /** Releases what the request holds, such as its concurrency lease. */
  readonly release: () => void;
  /**
   * Checks the credential again.
   * @returns its present scopes
   * @throws {Problem} 401 when the credential was revoked or has expired while the request waited
   */
  readonly check: () => Promise<ReadonlySet<string>>;
}

/** Makes and checks the clients of waiting requests. */
@Injectable()
export class WaitingClients {
  /**
   * Maps the address and the token of a client to the running look-up of its credential. One look-up serves all
   * requests of a client that are woken together.
   */
  readonly #running = new Map<string, Promise<KnownCredential | null>>();

  constructor(private readonly credentials: CredentialStore) {}

  of(request: FastifyRequest, reply: FastifyReply): WaitingClient {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return {
      gone: gone.signal,
      release: () => request.release?.(0),
      check: async () => {
        const credential = await this.#find(request);
        if (!credential) throw unauthorized(request.headers);
        return new Set(credential.scopes);
      },
    };
  }

  #find(request: FastifyRequest): Promise<KnownCredential | null> {
    const sender = { address: addressOf(request), requestId: request.id };
    const token = tokenOf(request.headers.authorization);
    const name = `${sender.address} ${token ?? ''}`;
    const running =
      this.#running.get(name) ?? this.credentials.find(token, sender).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }
}
