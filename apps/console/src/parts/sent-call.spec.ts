import { expect, test } from '@jest/globals';
import { callOf, masked } from './sent-call.js';

const get = { operationId: 'topics.get' };
const OPERATIONS = {
  paths: {
    '/api/v1/topics/{id}': { get, patch: { operationId: 'topics.patch' } },
    '/api/v1/{kind}/test': { post: { operationId: 'other.test' } },
    '/api/v1/topics/test': { post: { operationId: 'topics.test' } },
    '/api/v1/topics/{topicId}/subscriptions/{id}': { delete: { operationId: 'topic_subscriptions.delete' } },
  },
};

test('a sent request has the name and the parameters of its operation', () => {
  expect(callOf(OPERATIONS, 'PATCH', '/api/v1/topics/3?dry_run=true')).toEqual({
    method: 'PATCH',
    path: '/topics/3',
    operation: 'topicsPatch',
    params: { id: 3 },
    query: { dry_run: 'true' },
  });
  const { operation, params } = callOf(OPERATIONS, 'DELETE', '/api/v1/topics/3/subscriptions/4');
  expect([operation, params]).toEqual(['topicSubscriptionsDelete', { topicId: 3, id: 4 }]);
});

test('the operation of a sent request is the one whose path has no parameters, if two paths match', () =>
  expect(callOf(OPERATIONS, 'POST', '/api/v1/topics/test').operation).toBe('topicsTest'));

test('a sent request is shown with masked secrets', () => {
  const sent = { name: 'x', custom_headers: { 'x-key': 'a', 'x-old': null }, private_key: 'b', token_url: 'c' };
  const body = JSON.stringify({ ...sent, authentication: { client_secret: 'd' } });
  expect(JSON.parse(body, masked)).toEqual({
    ...{ name: 'x', custom_headers: { 'x-key': '…', 'x-old': '…' }, private_key: '…', token_url: 'c' },
    authentication: { client_secret: '…' },
  });
});
