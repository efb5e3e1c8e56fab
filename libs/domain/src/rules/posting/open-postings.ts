import { type Database } from '@ats/postgres';
import { posting } from '../../objects/posting.model.js';
import { recruiterSql } from './posting-status.js';

/** The properties of postings that clients can filter by an exact value. */
export const EQUAL_FILTERS = ['location', 'department', 'employment_type'] as const;

/** A job board that everyone may read. Source: docs/reference/public-board.md. */
export interface PublicBoard {
  readonly code: string;
  readonly name: string;
  readonly base_url: string | null;
  /** Name of the system, which is the hiring organisation. */
  readonly organisation: string;
  readonly default_language: string;
}

/** A posting that candidates can apply to. */
export interface OpenPosting {
  readonly id: number;
  readonly title: string;
  /** HTML, as rich texts are stored. */
  readonly description: string | null;
  readonly description_plain: string | null;
  readonly location: string | null;
  readonly department: string | null;
  readonly employment_type: string | null;
  readonly reference: string;
  /** ISO 8601 dates. */
  readonly opening_date: string;
  readonly closing_date: string | null;
  readonly vacancy_id: number;
}

/** An open posting, and the recruiter to whom applications through it are attributed. */
export interface AppliedPosting extends OpenPosting {
  readonly recruiter_id: number;
}

/** The conditions that filter open postings. */
interface PostingsFilter {
  /**
   * The words to search. Each must occur in the title, the description, the department or the location. Case does not
   * matter.
   */
  readonly words: readonly string[];
  /** The values that properties of the posting must equal. Case does not matter. */
  readonly equals: Readonly<Partial<Record<(typeof EQUAL_FILTERS)[number], string>>>;
}

/** A request for open postings of a board, newest first. */
export interface PostingsQuery extends PostingsFilter {
  readonly limit: number;
  /** The last posting of the page before. The page begins with the posting after it. */
  readonly after?: Pick<OpenPosting, 'opening_date' | 'id'> | undefined;
}

type Reader = Pick<Database, 'query'>;

const COLUMNS: Readonly<Record<keyof OpenPosting, string>> = {
  id: 'p.id',
  title: 'p.title',
  description: 'coalesce(p.description, o.description)',
  description_plain: 'coalesce(p.description_plain, o.description_plain)',
  location: 'coalesce(p.location, o.location)',
  department: 'o.department',
  employment_type: 'o.employment_type',
  reference: 'o.reference',
  opening_date: 'p.opening_date::text',
  closing_date: 'p.closing_date::text',
  vacancy_id: 'p.vacancy_id',
};
const SEARCHED = ['title', 'description_plain', 'department', 'location'] as const;

const shown = Object.entries(COLUMNS)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ');

/** SQL condition that is true when `p` is an open posting of the public board `b` with the code `$1`. */
function openOfBoard(): string {
  const isOpen = posting.attributes['accepts_applications'];
  if (!isOpen) throw new Error('the object type posting has no attribute accepts_applications');
  return `FROM postings p JOIN opportunities o ON o.id = p.vacancy_id JOIN job_boards b ON b.id = p.job_board_id
    WHERE b.code = $1 AND b.is_public AND b.is_active AND ${isOpen.sql('p', {})}`;
}

/**
 * Finds a public and active board by its code.
 * @returns undefined when there is none
 */
export async function findBoard(reader: Reader, code: string): Promise<PublicBoard | undefined> {
  const [board] = await reader.query<PublicBoard>(
    `SELECT b.code, b.name, b.base_url, s.name AS organisation, s.default_language
     FROM job_boards b CROSS JOIN (SELECT name, default_language FROM systems ORDER BY id LIMIT 1) s
     WHERE b.code = $1 AND b.is_public AND b.is_active`,
    [code],
  );
  return board;
}

/**
 * Finds an open posting of a board by its id.
 * @returns undefined when the board has no such open posting
 */
export async function findOpenPosting(reader: Reader, code: string, id: number): Promise<AppliedPosting | undefined> {
  const [found] = await reader.query<AppliedPosting>(
    `SELECT ${shown}, ${recruiterSql('p')} AS recruiter_id ${openOfBoard()} AND p.id = $2`,
    [code, id],
  );
  return found;
}

/** Reads open postings of a board. */
export async function readOpenPostings(
  reader: Reader,
  code: string,
  { limit, after, ...query }: PostingsQuery,
): Promise<readonly OpenPosting[]> {
  const { text, parameters, parameter } = matching(code, query);
  const following = after
    ? ` AND (p.opening_date, p.id) < (${parameter(after.opening_date)}::date, ${parameter(after.id)}::bigint)`
    : '';
  return reader.query<OpenPosting>(
    `SELECT ${shown} ${text}${following} ORDER BY p.opening_date DESC, p.id DESC LIMIT ${parameter(limit)}`,
    parameters,
  );
}

/** Counts the open postings of a board that match the filter, on all pages together. */
export async function countOpenPostings(reader: Reader, code: string, query: PostingsFilter): Promise<number> {
  const { text, parameters } = matching(code, query);
  const [counted] = await reader.query<{ count: number }>(`SELECT count(*)::int AS count ${text}`, parameters);
  return counted?.count ?? 0;
}

/**
 * Returns SQL that selects the open postings which match the filter, and its parameters. The SQL begins with `FROM`.
 */
function matching(code: string, { words, equals }: PostingsFilter) {
  const parameters: unknown[] = [code];
  const parameter = (value: unknown): string => `$${parameters.push(value)}`;
  const searched = `concat_ws(' ', ${SEARCHED.map((name) => COLUMNS[name]).join(', ')})`;
  const conditions = [
    ...words.map((word) => `strpos(lower(${searched}), lower(${parameter(word)})) > 0`),
    ...EQUAL_FILTERS.flatMap((name) => {
      const value = equals[name];
      return value === undefined ? [] : [`lower(${COLUMNS[name]}) = lower(${parameter(value)})`];
    }),
  ].map((condition) => ` AND ${condition}`);
  return { text: `${openOfBoard()}${conditions.join('')}`, parameters, parameter };
}
