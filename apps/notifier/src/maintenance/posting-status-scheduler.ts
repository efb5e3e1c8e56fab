import { raiseStatusChangeEvents } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';

export interface PostingStatusSchedulerOptions {
  readonly database: Database;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  /** Called when an event was raised. */
  readonly onEvent: () => void;
}

/**
 * Raises events for postings that become live or expired because of their dates. No request would raise these events.
 */
export class PostingStatusScheduler {
  constructor(private readonly options: PostingStatusSchedulerOptions) {}

  async raiseEvents(): Promise<Amount> {
    const { database, baseUrl, onEvent } = this.options;
    const [system] = await database.query<{ default_language: string }>(
      'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    );
    if (!system) return 'none';
    const raised = await raiseStatusChangeEvents(database, { baseUrl, language: system.default_language });
    if (raised === 0) return 'none';
    onEvent();
    return 'more';
  }
}
