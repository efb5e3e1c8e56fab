import { describe, expect, it } from '@jest/globals';
import { type Change, misplacedEntries, type Write } from './change-order.js';

/** Makes entries from texts such as `created 7`. Each entry has a later time than the one before. */
const entriesOf = (...texts: string[]): Change[] =>
  texts.map((text, index) => {
    const [change = '', id] = text.split(' ');
    return { resource: 'job_boards', id: Number(id), change, dt: `2026-03-01T09:00:00.00${index}Z` };
  });

const write = (text: string, sent: number, answered: number): Write => {
  const [change, id] = text.split(' ');
  return { name: `${change} job_boards ${id}`, sent, answered };
};

describe('misplacedEntries', () => {
  it('accepts items that are created, changed and deleted', () => {
    const entries = entriesOf('created 1', 'created 2', 'updated 1', 'updated 1', 'deleted 1', 'updated 2');
    expect(misplacedEntries(entries, [])).toEqual([]);
  });

  it.each([
    ['a change before the creation', ['updated 1', 'created 1']],
    ['a second creation', ['created 1', 'created 1']],
    ['a change after the deletion', ['created 1', 'deleted 1', 'updated 1']],
    ['a second deletion', ['created 1', 'deleted 1', 'deleted 1']],
  ])('finds %s', (_, texts) => {
    expect(misplacedEntries(entriesOf(...texts), [])).not.toEqual([]);
  });

  it('finds a change of an item that is older than the change before it', () => {
    const [created, first, second] = entriesOf('created 1', 'updated 1', 'updated 1') as [Change, Change, Change];
    expect(misplacedEntries([created, second, first], [])).toEqual([
      'updated job_boards 1 follows updated job_boards 1 of the item',
    ]);
  });

  it('finds a write that comes before a write that was answered before it was sent', () => {
    const writes = [write('created 1', 1, 2), write('created 2', 3, 4)];
    expect(misplacedEntries(entriesOf('created 1', 'created 2'), writes)).toEqual([]);
    expect(misplacedEntries(entriesOf('created 2', 'created 1'), writes)).toEqual([
      'created job_boards 1 follows created job_boards 2',
    ]);
  });

  it('accepts any order of writes that ran at the same time, and of writes without an answer', () => {
    const concurrent = [write('created 1', 1, 3), write('created 2', 2, 4)];
    const unanswered = [write('created 1', 1, Infinity), write('created 2', 3, 4)];
    for (const writes of [concurrent, unanswered]) {
      expect(misplacedEntries(entriesOf('created 1', 'created 2'), writes)).toEqual([]);
      expect(misplacedEntries(entriesOf('created 2', 'created 1'), writes)).toEqual([]);
    }
  });

  it('finds a write without an answer that comes before a write that was answered before it was sent', () => {
    const writes = [write('created 1', 1, 2), write('created 2', 3, Infinity)];
    expect(misplacedEntries(entriesOf('created 2', 'created 1'), writes)).not.toEqual([]);
  });
});
