// @ts-check
import { date, DAY, NOW, startOfDay, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { Random } from './random.mjs';
import { richText } from './rich-text.mjs';
import { boards, vacancyDescription } from './work.mjs';

/**
 * @typedef {object} Posting
 * @property {number} id
 * @property {import('./opportunities.mjs').Opportunity} vacancy
 * @property {number} board index into `boards`
 * @property {number} createdAt
 * @property {number} updatedAt
 * @property {number} opensAt first day
 * @property {number | null} closesAt last day
 * @property {boolean} isWithdrawn
 */

export const boardIds = boards.map((_, index) => FIRST_ID + index);

/**
 * Creates the postings of all vacancies that were ever open: on the career site, and mostly also on other boards.
 * @param {readonly import('./opportunities.mjs').Opportunity[]} opportunities
 * @returns {Posting[]} in the order of their creation
 */
export function planPostings(opportunities) {
  const random = new Random('postings');
  const postings = opportunities
    .filter(({ kind, openTimes }) => kind === 'vacancy' && openTimes.length > 0)
    .flatMap((vacancy) => {
      random.restart(vacancy.id);
      const others = random.some([1, 2, 3, 4, 5], random.pick([0, 1, 1, 1, 2, 2]));
      return [0, ...others].map((board) => planPosting(vacancy, board, random));
    });
  postings.sort((left, right) => left.createdAt - right.createdAt);
  return postings.map((posting, index) => ({ ...posting, id: FIRST_ID + index }));
}

/**
 * Plans the posting of a vacancy on one board.
 * @param {import('./opportunities.mjs').Opportunity} vacancy
 * @param {number} board
 * @param {Random} random
 */
function planPosting(vacancy, board, random) {
  const openedAt = vacancy.openTimes[0].from;
  const isAhead = vacancy.state === 'open' && board > 0 && random.chance(0.08);
  const opensAt = startOfDay(
    isAhead ? NOW + random.between(3, 60) * DAY : openedAt + (board === 0 ? 0 : random.between(0, 4) * DAY),
  );
  const endedAt = vacancy.endedAt === null ? null : startOfDay(vacancy.endedAt);
  const planned =
    vacancy.closesAt ?? (random.chance(0.35) ? Math.max(NOW, opensAt) + random.between(20, 120) * DAY : null);
  const closesAt =
    endedAt !== null && random.chance(0.6)
      ? Math.max(opensAt, endedAt)
      : planned === null
        ? null
        : Math.max(opensAt, planned);
  const isWithdrawn = endedAt !== null ? closesAt === null || closesAt > endedAt : random.chance(0.03);
  const createdAt = openedAt + random.between(1, 600) * 1_000;
  const withdrawnAt = vacancy.endedAt ?? createdAt + Math.floor((NOW - createdAt) * random.float());
  return {
    id: 0,
    vacancy,
    board,
    createdAt,
    updatedAt: isWithdrawn ? Math.max(createdAt, withdrawnAt) : createdAt,
    opensAt,
    closesAt,
    isWithdrawn,
  };
}

export function* boardRows() {
  const random = new Random('job boards');
  for (const [index, { name, code, isInternal, isActive, url }] of boards.entries()) {
    random.restart(index);
    const created = timestamp(NOW - (800 - index) * DAY);
    yield [boardIds[index], random.uuid(), created, created, name, code, isInternal, isActive, url];
  }
}

/**
 * Yields the rows of the table of postings.
 * @param {readonly Posting[]} postings
 */
export function* postingRows(postings) {
  const random = new Random('posting rows');
  for (const { id, vacancy, board, createdAt, updatedAt, opensAt, closesAt, isWithdrawn } of postings) {
    random.restart(id);
    yield [
      id,
      random.uuid(),
      timestamp(createdAt),
      timestamp(updatedAt),
      board > 1 && random.chance(0.3) && vacancy.location ? `${vacancy.title}, ${vacancy.location}` : vacancy.title,
      ...richText(random.chance(0.8) ? vacancyDescription(vacancy.title, vacancy.department, random) : null),
      isWithdrawn,
      date(opensAt),
      closesAt === null ? null : date(closesAt),
      boardIds[board],
      vacancy.id,
      vacancy.location,
      boards[board].method,
    ];
  }
}
