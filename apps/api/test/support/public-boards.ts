import { CursorCodec } from '@ats/pagination';
import { type Item } from './answer.js';
import { SECRET_KEY } from './api-harness.js';
import { type Factories } from './factories.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Makes the token of a posting's application form, as if a client had read the form `ageMs` ago. */
export function formToken(postingId: number, ageMs = HOUR_MS): string {
  const readAt = String(Date.now() - ageMs);
  return (
    new CursorCodec(SECRET_KEY, { purpose: 'ats/pagination/cursor/1' }).seal(
      { keys: [readAt] },
      `application form of posting ${postingId}`,
    ) ?? ''
  );
}

export interface PublicPosting {
  /** Code of the public board. */
  readonly code: string;
  readonly posting: Item;
}

/**
 * Creates a public board with a posting of an open vacancy.
 * @param properties  properties of the posting
 */
export async function publicPosting(
  make: Factories,
  properties: Readonly<Record<string, unknown>> = {},
): Promise<PublicPosting> {
  const board = await make.jobBoard({ is_public: true, base_url: 'https://careers.example.com/' });
  const vacancy = await make.vacancy({ department: 'Research', employment_type: 'Full-time' });
  const posting = await make.posting({ job_board_id: board.id, vacancy_id: vacancy.id, ...properties });
  return { code: String(board['code']), posting };
}
