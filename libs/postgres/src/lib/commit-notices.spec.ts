import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CommitNotices } from './commit-notices.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function start(): { notices: CommitNotices; sent: string[] } {
  const sent: string[] = [];
  return { sent, notices: new CommitNotices((channel) => void sent.push(channel)) };
}

test('CommitNotices sends one NOTIFY for all commits on a channel in a turn of the event loop', () => {
  const { notices, sent } = start();
  notices.request('events');
  notices.request('events');
  notices.request('mails');
  jest.advanceTimersByTime(0);
  expect(sent).toEqual(['events', 'mails']);
  jest.advanceTimersByTime(1_000);
  expect(sent).toEqual(['events', 'mails']);
});

test('CommitNotices sends one more NOTIFY for all commits within 20 ms after a NOTIFY', () => {
  const { notices, sent } = start();
  notices.request('events');
  jest.advanceTimersByTime(5);
  for (let commits = 0; commits < 10; commits += 1) notices.request('events');
  expect(sent).toEqual(['events']);
  jest.advanceTimersByTime(20);
  expect(sent).toEqual(['events', 'events']);
  jest.advanceTimersByTime(1_000);
  expect(sent).toEqual(['events', 'events']);
});
