import { jobBoards, NotFoundError } from '@ats/domain';
import { CommitUnknownError, DatabaseUnavailableError } from '@ats/postgres';
import { expect, it } from '@jest/globals';
import { type RequestContext } from '../request/request-context.js';
import { runChange } from './change-item.js';
import { type ResourceReader } from './resource-reader.js';
import { type UnitOfWork } from './unit-of-work.js';

const INVALID = new Error('the body is invalid');
const UNKNOWN = new CommitUnknownError({});
const MISSING = new NotFoundError('job_board', 7);

it.each([
  ['a violation of an existing item', INVALID, undefined, INVALID],
  ['a violation of a missing item', INVALID, MISSING, MISSING],
  ['a violation while the item cannot be looked up', INVALID, new DatabaseUnavailableError('gone'), INVALID],
  ['an unknown outcome of COMMIT', UNKNOWN, new DatabaseUnavailableError('gone'), UNKNOWN],
  ['an unknown outcome of COMMIT, although the item is gone', UNKNOWN, MISSING, UNKNOWN],
])('runChange throws the error to report for %s', async (_, ofWrite, ofLookUp, expected) => {
  const unitOfWork = { write: () => Promise.reject(ofWrite) } as unknown as UnitOfWork;
  const mustExist = () => (ofLookUp ? Promise.reject(ofLookUp) : Promise.resolve());
  const reader = { mustExist } as unknown as ResourceReader;
  const change = { body: {}, isPatch: false } as never;
  const target = { id: 7, resource: jobBoards, writes: {}, rules: {} as never, change, viewerId: undefined };
  const precondition = { ifMatch: undefined, locked: () => Promise.resolve([]) };
  const requested = { context: {} as RequestContext, precondition, target };
  await expect(runChange(unitOfWork, reader, requested)).rejects.toBe(expected);
});
