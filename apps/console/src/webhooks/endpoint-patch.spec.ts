import { type NotificationEndpointsWithKeys } from '@ats/client';
import { describe, expect, test } from '@jest/globals';
import { headerLines, patchOf, patchOfHeaders } from './endpoint-patch.js';

describe('headers as lines', () => {
  const present = { 'x-api-key': 'secret', 'x-hidden': null };

  test('a header whose value is hidden is shown with its name only', () => {
    expect(headerLines(present)).toBe('x-api-key: secret\nx-hidden:');
  });

  test.each([
    ['unchanged lines change nothing', 'x-api-key: secret\nx-hidden:', {}],
    ['a line that is gone removes its header', 'x-hidden:', { 'x-api-key': null }],
    ['a new value replaces a hidden one', 'x-api-key: secret\nX-Hidden: new', { 'x-hidden': 'new' }],
    [
      'a value may contain colons',
      'x-api-key: secret\nx-hidden:\nx-url: https://a.test',
      { 'x-url': 'https://a.test' },
    ],
    ['blank lines are no headers', '\nx-api-key: secret\n\nx-hidden:\n', {}],
  ])('%s', (_, lines, patch) => expect(patchOfHeaders(present, lines)).toEqual(patch));
});

describe('the patch of an endpoint', () => {
  const endpoint = { custom_headers: {} } as NotificationEndpointsWithKeys;

  test('empty fields mean no limit, no batch and no authentication', () => {
    expect(patchOf({ name: 'a', destination_url: 'https://a.test', ordering: 'none' }, endpoint)).toEqual({
      name: 'a',
      destination_url: 'https://a.test',
      ordering: 'none',
      throttle: null,
      batch: null,
      custom_headers: {},
      authentication: { type: 'none' },
    });
  });

  test('an empty secret keeps the present one', () => {
    const form = { name: 'a', ordering: 'strict', limit: '5', per_s: '10', max: '20', wait_ms: '500' };
    const oauth = { authentication: 'oauth2_client_credentials', token_url: 'https://a.test/token', client_id: 'me' };
    expect(patchOf({ ...form, ...oauth }, endpoint)).toMatchObject({
      destination_url: null,
      throttle: { limit: 5, per_s: 10 },
      batch: { max: 20, wait_ms: 500 },
      authentication: {
        type: 'oauth2_client_credentials',
        token_url: 'https://a.test/token',
        client_id: 'me',
        scope: null,
      },
    });
    expect(patchOf({ ...form, ...oauth }, endpoint).authentication).not.toHaveProperty('client_secret');
    expect(patchOf({ ...oauth, client_secret: 'new' }, endpoint).authentication).toHaveProperty('client_secret', 'new');
  });

  test('the id of a chosen client certificate is sent as a number', () => {
    expect(patchOf({ authentication: 'client_certificate', certificate_id: '7' }, endpoint).authentication).toEqual({
      type: 'client_certificate',
      certificate_id: 7,
    });
  });
});
