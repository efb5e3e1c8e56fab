import { expect, test } from '@jest/globals';
import { asCurl, asTypeScript, type Call } from './call-samples.js';

const SERVICE = 'https://ats.example.com';
const LIST: Call = { method: 'GET', path: '/candidates', operation: 'candidatesList', query: { per_page: 5 } };
const STREAM: Call = {
  method: 'GET',
  path: '/notification_endpoints/7/stream',
  operation: 'notificationEndpointsStream',
  params: { id: 7 },
  isStream: true,
};

test('a curl command that reads a stream prints each message at once', () => {
  expect(asCurl(SERVICE, LIST)).toMatch(/^curl 'https:\/\/ats.example.com\/api\/v1\/candidates\?per_page=5'/);
  expect(asCurl(SERVICE, STREAM)).toMatch(/^curl -N 'https/);
});

test('a program that reads a stream does not wait for its end', () => {
  expect(asTypeScript(SERVICE, LIST)).not.toContain('parseAs');
  expect(asTypeScript(SERVICE, STREAM)).toContain("parseAs: 'stream'");
  expect(asTypeScript(SERVICE, STREAM)).toContain('path: {"id":7}');
});
