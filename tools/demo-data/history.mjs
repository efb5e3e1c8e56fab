// @ts-check
import { DAY, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';

/**
 * @typedef {object} Entry
 * @property {string} subjectType
 * @property {number} subjectId
 * @property {'created' | 'state_change' | 'field_change' | 'form_submitted' | 'comm_sent'} type
 * @property {number} at
 * @property {number | null} [by] recruiter id
 * @property {number} [from]
 * @property {number} [to]
 * @property {string | null} [comment]
 * @property {readonly { path: string, old: unknown, new: unknown }[]} [changes]
 */

/**
 * The history of one object. No entry is earlier than `at`. @typedef {{ at: number, entries: readonly Entry[] }} Past
 */

/**
 * Yields the rows of the table of history entries. Merges several lists of histories in the order of time, so that ids
 * of entries grow with their dates. Reads the lists day by day, so that few entries are in memory at a time.
 * @param {readonly Iterable<Past>[]} sources the lists, each in the order of `at`
 */
export function* historyRows(sources) {
  let id = FIRST_ID - 1;
  for (const { subjectType, subjectId, type, at, by, from, to, comment, changes } of inOrder(sources)) {
    yield [
      ++id,
      subjectType,
      subjectId,
      type,
      timestamp(at),
      by ?? null,
      from ?? null,
      to ?? null,
      comment ?? null,
      changes ? JSON.stringify(changes) : null,
    ];
  }
}

/**
 * Makes a history of each entry, and sorts the histories, so that `historyRows` can read them.
 * @param {readonly Entry[]} entries in any order
 * @returns {Past[]}
 */
export const pastsOf = (entries) =>
  entries.map((entry) => ({ at: entry.at, entries: [entry] })).sort((a, b) => a.at - b.at);

/**
 * Yields the entries of all histories in the order of time.
 * @param {readonly Iterable<Past>[]} sources lists of histories, each in the order of `at`
 */
function* inOrder(sources) {
  /** @type {Map<number, Entry[]>} */
  const days = new Map();
  const readers = sources.map((source) => source[Symbol.iterator]()).map((reader) => ({ reader, next: reader.next() }));
  const firstDay = () =>
    Math.min(...readers.flatMap(({ next }) => (next.done ? [] : [dayOf(next.value.at)])), ...days.keys());
  for (let day = firstDay(); day !== Infinity; day = firstDay()) {
    for (const source of readers) {
      for (; !source.next.done && dayOf(source.next.value.at) <= day; source.next = source.reader.next()) {
        for (const entry of source.next.value.entries) {
          const sameDay = days.get(dayOf(entry.at));
          if (sameDay) sameDay.push(entry);
          else days.set(dayOf(entry.at), [entry]);
        }
      }
    }
    const entries = days.get(day) ?? [];
    days.delete(day);
    // The sort is stable, so entries of the same time keep their order.
    yield* entries.sort((left, right) => left.at - right.at);
  }
}

/**
 * Returns the number of the day (UTC) that contains a time.
 * @param {number} moment
 */
const dayOf = (moment) => Math.floor(moment / DAY);

/**
 * Returns the histories of vacancies and events.
 * @param {readonly import('./opportunities.mjs').Opportunity[]} opportunities
 * @param {import('./states.mjs').States} states
 * @returns {Past[]}
 */
export function opportunityPasts(opportunities, states) {
  return opportunities.map(({ id, createdAt, moves, ownerId }) => {
    const subject = { subjectType: 'opportunity', subjectId: id, by: ownerId };
    let from = states.id('opportunity', 'draft');
    /** @type {Entry[]} */
    const entries = [{ ...subject, type: 'created', at: createdAt, to: from }];
    for (const { to, at } of moves) {
      const target = states.id('opportunity', to);
      entries.push({ ...subject, type: 'state_change', at, from, to: target });
      from = target;
    }
    return { at: createdAt, entries };
  });
}

/**
 * Returns the histories of postings.
 * @param {readonly import('./postings.mjs').Posting[]} postings
 * @returns {Past[]}
 */
export function postingPasts(postings) {
  return postings.map(({ id, createdAt, updatedAt, isWithdrawn, vacancy }) => {
    const subject = { subjectType: 'posting', subjectId: id, by: vacancy.ownerId };
    /** @type {Entry[]} */
    const entries = [{ ...subject, type: 'created', at: createdAt }];
    if (isWithdrawn)
      entries.push({
        ...subject,
        type: 'field_change',
        at: updatedAt,
        changes: [{ path: '/is_withdrawn', old: false, new: true }],
      });
    return { at: createdAt, entries };
  });
}
