import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api } = useApi();

const post = (payload: string, key: string): Promise<Answer> =>
  api.request('POST', '/api/v1/job_boards', { payload, headers: { 'idempotency-key': key } });

describe('a request with a used Idempotency-Key', () => {
  test('gets the first answer when only the order of properties and blanks differ', async () => {
    const first = await post('{"name":"Board","code":"order"}', 'order');
    const again = await post(' {\n"code" : "order", "name":"B\\u006fard" } ', 'order');
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
  });

  test('is rejected when a value differs', async () => {
    await post('{"name":"Board","code":"value"}', 'value');
    const other = await post('{"code":"value","name":"board"}', 'value');
    expect([other.status, other.violations]).toEqual([422, ['idempotency_mismatch ']]);
  });

  test('gets the answer that a former release stored', async () => {
    const body = { name: 'Board', code: 'former' };
    const first = await post(JSON.stringify(body), 'former');
    const former = createHash('sha256')
      .update(JSON.stringify(['POST', '/api/v1/job_boards', body]))
      .digest();
    await api.database.query(`UPDATE idempotency_keys SET request_digest = $1 WHERE key = 'former'`, [former]);
    const again = await post(JSON.stringify(body), 'former');
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([201, 'true', first.text]);
  });

  test('is answered when its body is nested very deeply', async () => {
    const { status } = await post(`{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'deep');
    expect(status).toBe(422);
  });
});
