import { type DestinationGuard, DestinationRefusedError, DestinationUnresolvedError } from '@ats/destination-guard';
import { destinationGuard } from '@ats/domain';
import { type Message } from '@ats/message';
import { Inject, Injectable } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

/** Judges the addresses that clients choose, by the rules that the notifier sends by. */
@Injectable()
export class Destinations {
  readonly #guard: DestinationGuard;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#guard = destinationGuard(environment);
  }

  /**
   * Why notifications may not go to this URL. It asks name servers, for up to 3 s, so it has no place inside a transaction.
   * @returns a text for the client, which names no address; null when they may, and also when the name leads nowhere now: that
   *   may be mended until the first message, and the delivery log shows it
   * Source: CONTRACT.md 8.
   */
  async refusalOf(url: string): Promise<Message | null> {
    try {
      await this.#guard.vet(url);
      return null;
    } catch (error) {
      if (error instanceof DestinationRefusedError) return error.info;
      if (error instanceof DestinationUnresolvedError) return null;
      throw error;
    }
  }
}
