// @group split: npm test calls one operation in twelve
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { sampleOf } from '../support/long-part.js';
import { openDocument } from '../support/answer-checker.js';
import { isPublic, type Operation } from '../support/openapi-document.js';
import { senders } from '../support/send-operation.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const { callOf, send } = senders(api, make);
let operations: readonly Operation[];

beforeAll(async () => {
  ({ operations } = await openDocument(api, make));
});

/** Matches the names and addresses that the factories give to people. */
const PERSONAL = /\b(person|recruiter)\d+@example\.com|Byron|Hopper/;

test('every answer with personal data has an entry in the audit log with its request id', async () => {
  const shown = new Map<string, string>();
  // Leaves out public operations. They show personal data only to a person who has the token of an activation.
  const withCredential = operations.filter((operation) => !isPublic(operation));
  for (const [index, operation] of sampleOf(withCredential, 12).entries()) {
    const requestId = `operation-${index}`;
    const answer = await send(operation, await callOf(operation), { headers: { 'x-request-id': requestId } });
    if (answer.status < 300 && PERSONAL.test(answer.text)) shown.set(requestId, operation.name);
  }
  expect(shown.size).toBeGreaterThan(0);
  await eventually(async () => {
    const entries = await api.database.query<{ request_id: string }>(
      `SELECT request_id FROM audit_entries WHERE action = 'personal_data_read' AND item_count > 0
         AND cardinality(item_ids) = item_count AND collection IS NOT NULL`,
    );
    const recorded = new Set(entries.map(({ request_id: id }) => id));
    expect([...shown].flatMap(([id, name]) => (recorded.has(id) ? [] : [name]))).toEqual([]);
  });
});
