import { type DestinationGuard, DestinationRefusedError, DestinationUnresolvedError } from '@ats/destination-guard';
import { destinationGuard } from '@ats/domain';
import { type Message } from '@ats/message';
import { Inject, Injectable } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

/** Checks the destinations that clients choose, by the same rules as the notifier. */
@Injectable()
export class Destinations {
  readonly #guard: DestinationGuard;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#guard = destinationGuard(environment);
  }

  /**
   * Checks whether messages may be sent to this URL. Must not be called inside a transaction, because it queries name
   * servers for up to 3 s. It accepts a host name that does not resolve, because the name may resolve later, and the
   * delivery log will show the failure.
   * @returns null when messages may be sent; otherwise the reason for the client, which contains no IP address
   * Source: docs/reference/destinations.md.
   */
  async refusalOf(url: string): Promise<Message | null> {
    try {
      await this.#guard.vet(url);
      return null;
    } catch (error) {
      if (error instanceof DestinationRefusedError) return error.violation.message;
      if (error instanceof DestinationUnresolvedError) return null;
      throw error;
    }
  }
}
