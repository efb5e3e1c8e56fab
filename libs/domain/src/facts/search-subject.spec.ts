import { describe, expect, it } from '@jest/globals';
import { getObjectType } from '../objects/object-model.js';
import { subjectForTexts, type SubjectOptions } from './search-subject.js';

const now = new Date('2026-11-21T09:30:00Z');

/** Returns the clock of the subject, and the number of statements that were run to get the subject. */
async function clockFor(texts: readonly string[], options: SubjectOptions = {}) {
  let statements = 0;
  const run = (): Promise<Record<string, unknown>[]> => {
    statements++;
    return Promise.resolve([{ now, timezone: 'Europe/Berlin' }]);
  };
  const { clock } = await subjectForTexts(run, getObjectType('application'), texts, options);
  return { clock, statements };
}

describe('subjectForTexts', () => {
  it.each([
    [[], 'application.rating >= 4 OR NOT (application.source == "DATE")'],
    [[], 'application.created_dt >= DATE("2026-01-01T00:00:00Z")'],
    [['application.rating>=4'], undefined],
  ])('runs no statement for %j and the expression %j, which need no clock', async (texts, where) => {
    expect(await clockFor(texts, { where })).toEqual({ clock: undefined, statements: 0 });
  });

  it.each([
    [[], 'application.created_dt >= DATE("today")'],
    [[], 'application.created_dt >= DATE("2026-01-01")'],
    [['application.created_dt>=DATE("today")'], undefined],
    [['application.created_dt>=DATE("today")'], 'application.rating >= 4'],
  ])('reads the clock for %j and the expression %j', async (texts, where) => {
    expect(await clockFor(texts, { where })).toEqual({ clock: { now, timeZone: 'Europe/Berlin' }, statements: 1 });
  });
});
