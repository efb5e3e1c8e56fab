import {
  type AppliedPosting,
  countOpenPostings,
  EQUAL_FILTERS,
  findBoard,
  findOpenPosting,
  localisedValue,
  type OpenPosting,
  type PublicBoard,
  readApplicationQuestions,
  readOpenPostings,
} from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import { findOnly, CursorCodec } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { invalidQuery, parameterProblem, unknownParameters } from '../request/query.js';
import { Problem, type ProblemDetail } from '../vocabulary/problem.js';
import { applicationFormSchema, type Questions } from './application-form.js';
import { Challenges } from './challenges.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;
const MAX_WORDS = 10;
const MAX_TEXT_LENGTH = 200;
/** Maximum number of postings in a feed. */
const MAX_FEED_POSTINGS = 10_000;
const PARAMETERS = ['q', ...EQUAL_FILTERS, 'limit', 'after'] as const;

/** An open posting, with its board. */
export interface BoardPosting {
  readonly board: PublicBoard;
  readonly posting: OpenPosting;
}

/** Returns the 404 for a posting that does not exist, is not open, or is on another board. */
export const notOpen = (id: number): Problem =>
  new Problem(404, message`The job board has no open posting with the id ${id}`);

/** One page of the open postings of a board. */
export interface PostingsPage {
  readonly board: PublicBoard;
  readonly postings: readonly OpenPosting[];
  readonly count: number;
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Reads public boards. The answer for everything that is not public is 404, as if it did not exist. */
@Injectable()
export class BoardReader {
  constructor(
    private readonly database: Database,
    private readonly cursors: CursorCodec,
    private readonly challenges: Challenges,
  ) {}

  /** Reads a board. @throws {Problem} 404 when there is no such public board */
  async board(code: string): Promise<PublicBoard> {
    // Does not look up a code with a null character, because PostgreSQL refuses such a text. No board has such a code.
    const board = code.includes('\0') ? null : await findBoard(this.database, code);
    if (board) return board;
    throw new Problem(404, message`There is no public job board with this code`);
  }

  /**
   * Reads an open posting with its board.
   * @throws {Problem} 404 when there is no such public board, or it has no such open posting
   */
  async posting(code: string, id: number): Promise<BoardPosting & { readonly posting: AppliedPosting }> {
    const board = await this.board(code);
    const posting = await findOpenPosting(this.database, code, id);
    if (posting) return { board, posting };
    throw notOpen(id);
  }

  /**
   * Reads a page of open postings.
   * @throws {Problem} 400 that names each invalid parameter, or 404 when there is no such public board
   */
  async page(code: string, query: URLSearchParams): Promise<PostingsPage> {
    const board = await this.board(code);
    const violations = unknownParameters('postings', query, PARAMETERS);
    const texts = new Map<string, string>();
    for (const name of PARAMETERS) {
      const text = findOnly(query, name);
      if (text === undefined) continue;
      if (typeof text === 'object') violations.push(violation(name, text.message));
      else if (name !== 'after' && text.length > MAX_TEXT_LENGTH)
        violations.push(violation(name, message`expected at most ${MAX_TEXT_LENGTH} characters, found ${text.length}`));
      else if (text.includes('\0')) violations.push(violation(name, message`expected a text without null characters`));
      else texts.set(name, text);
    }
    const limit = readLimit(texts.get('limit'));
    if (limit === undefined)
      violations.push(violation('limit', message`expected a whole number from ${1} to ${MAX_LIMIT}`));
    const words = (texts.get('q') ?? '').split(/\s+/).filter(Boolean);
    if (words.length > MAX_WORDS)
      violations.push(violation('q', message`expected at most ${MAX_WORDS} words, found ${words.length}`));
    const equals = Object.fromEntries(
      EQUAL_FILTERS.flatMap((name) => (texts.has(name) ? [[name, texts.get(name) ?? '']] : [])),
    );
    const fingerprint = JSON.stringify(['board', code, words, equals]);
    const cursor = texts.get('after');
    const opened = cursor === undefined ? undefined : this.cursors.open(cursor, fingerprint);
    if (opened?.violation) violations.push(parameterProblem('postings', opened.violation));
    if (violations.length > 0) throw invalidQuery(violations);
    const [opening_date, id] = opened && !opened.violation ? opened.keys : [];
    const narrowing = { words, equals };
    const count = await countOpenPostings(this.database, code, narrowing);
    const postings = await readOpenPostings(this.database, code, {
      ...narrowing,
      limit: (limit ?? DEFAULT_LIMIT) + 1,
      after: opening_date && id ? { opening_date, id: Number(id) } : undefined,
    });
    const shown = postings.slice(0, limit);
    const last = shown.at(-1);
    const next =
      last && postings.length > shown.length
        ? this.cursors.seal({ keys: [last.opening_date, String(last.id)] }, fingerprint)
        : undefined;
    return { board, postings: shown, count, next };
  }

  /** Returns the postings of a feed, newest first. @throws {Problem} 404 when there is no such public board */
  async feed(code: string): Promise<Pick<PostingsPage, 'board' | 'postings'>> {
    const board = await this.board(code);
    const all = { words: [], equals: {}, limit: MAX_FEED_POSTINGS };
    return { board, postings: await readOpenPostings(this.database, code, all) };
  }

  /** Returns the questions that the form of a posting asks. */
  questions({ vacancy_id }: OpenPosting): Promise<Questions> {
    return this.database.transaction((transaction) => readApplicationQuestions(transaction, vacancy_id));
  }

  /** Returns the JSON Schema of an application to a posting. Its labels are in one language. */
  async form({ board, posting }: BoardPosting, language: string): Promise<object> {
    const languages = { language, defaultLanguage: board.default_language };
    const labelOf = (text: Parameters<typeof localisedValue>[0]): string => localisedValue(text, languages) ?? '';
    return applicationFormSchema(await this.questions(posting), labelOf, this.challenges.siteKey);
  }
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : NaN;
  return limit <= MAX_LIMIT ? limit : undefined;
}

const violation = (parameter: string, info: ProblemDetail['info']): ProblemDetail => ({
  resource: 'postings',
  path: '',
  parameter,
  code: 'invalid',
  ...(info && { info }),
});
