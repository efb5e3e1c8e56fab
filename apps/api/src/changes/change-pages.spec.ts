import { afterEach, expect, jest, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { ChangeLines } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type RequestContext } from '../request/request-context.js';
import { ChangePages } from './change-pages.js';
import { type Bookmark } from './change-tokens.js';

const LIMIT = 1_000;
const UUID = '0f1f2f3f-4f5f-4f6f-8f7f-8f9faf0f1f2f';
const MS = 1_790_000_000_000;
const START: Bookmark = { epoch: 'e', position: 0, mark: undefined, since: undefined, resources: ['vacancies'] };
const CONTEXT = { actor: { credentialId: 1, recruiterId: 1 }, settings: { baseUrl: 'https://ats.example' } };

/**
 * Makes pages of an endless feed. `steps` records each statement when it is sent. As with the real driver, a statement
 * is sent only after the running callback has ended.
 */
function makePages(): { steps: string[]; read: (start: Bookmark) => ReturnType<ChangePages['read']> } {
  const steps: string[] = [];
  const query = async ({ parameters }: { parameters: [number] }): Promise<object[]> => {
    const [position] = parameters;
    await new Promise<void>((resolve) => process.nextTick(resolve));
    steps.push(`statement after ${position}`);
    await setImmediate();
    const ids = Array.from({ length: LIMIT + 1 }, (_, index) => position + index + 1);
    const lines = ids.map((id) => [id, 'vacancies', id, UUID, 'updated', MS].join('\t')).join('\n');
    const here = position === 0 ? null : `${MS}-${UUID.slice(0, 8)}`;
    return [{ epoch: 'e', first: 0, here, found: ids.length, lines, size: null, last: null }];
  };
  const pages = new ChangePages({ reading: { query } } as unknown as Database);
  return { steps, read: (start) => pages.read(start, LIMIT, CONTEXT as unknown as RequestContext) };
}

afterEach(() => void jest.restoreAllMocks());

test('the changes feed sends the statement of the next page before it makes the JSON of a page', async () => {
  const { steps, read } = makePages();
  const toJson = jest.spyOn(ChangeLines.prototype, 'toJson').mockImplementation(() => {
    steps.push('JSON');
    return [];
  });
  const first = await read(START);
  expect(steps).toEqual(['statement after 0', 'statement after 1000']);
  while (toJson.mock.calls.length < 2) await setImmediate();
  expect(steps.slice(2)).toEqual(['statement after 2000', 'JSON', 'JSON']);
  const second = await read(first.endIn(START));
  expect(second.page.position).toBe(2 * LIMIT);
  expect(second.items).toEqual([]);
  expect(steps.slice(5)).toEqual(['statement after 3000']);
  while (toJson.mock.calls.length < 3) await setImmediate();
});
