import { announceStatusChanges } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';

export interface AnnouncerOptions {
  readonly database: Database;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  /** Told when there is a new event. */
  readonly onEvent: () => void;
}

/** Raises the events that no request raises: postings that their dates make live or expired. Source: CONTRACT.md 8. */
export class Announcer {
  constructor(private readonly options: AnnouncerOptions) {}

  async announce(): Promise<Amount> {
    const { database, baseUrl, onEvent } = this.options;
    const [system] = await database.query<{ default_language: string }>(
      'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    );
    if (!system) return 'none';
    const announced = await announceStatusChanges(database, { baseUrl, language: system.default_language });
    if (announced === 0) return 'none';
    onEvent();
    return 'more';
  }
}
