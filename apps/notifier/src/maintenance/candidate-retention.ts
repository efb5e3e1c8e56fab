import { announceAnonymisations, anonymiseDueCandidates, type RetentionCursor } from '@ats/domain';
import { type Logger } from '@ats/logging';
import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';

export interface CandidateRetentionOptions {
  readonly database: Database;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
  /** Called when a round has raised at least one event. */
  readonly onEvent: () => void;
}

/** Announces and anonymises candidates according to the retention rule in the settings of the system. */
export class CandidateRetention {
  readonly #announcing: RetentionCursor = {};
  readonly #anonymising: RetentionCursor = {};

  constructor(private readonly options: CandidateRetentionOptions) {}

  async apply(): Promise<Amount> {
    const { database, baseUrl, logger, onEvent } = this.options;
    const [system] = await database.query<{ default_language: string }>(
      'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    );
    if (!system) return 'none';
    const settings = { baseUrl, language: system.default_language };
    const announced = await announceAnonymisations(database, settings, this.#announcing);
    if (announced > 0) onEvent();
    const { candidates, remaining } = await anonymiseDueCandidates(database, settings, this.#anonymising);
    if (announced + candidates > 0)
      logger.info({ announced, candidates, remaining }, 'applied the retention rule of candidates');
    return announced + candidates > 0 ? 'more' : 'none';
  }
}
