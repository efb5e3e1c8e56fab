import { describe, expect, it } from '@jest/globals';
import { classifyError } from './classify-error.js';

const withCode = (code: string): Error => Object.assign(new Error('details'), { code });

describe('classifyError', () => {
  it.each([
    [withCode('ECONNREFUSED'), 'connection_refused'],
    [withCode('ECONNRESET'), 'connection_lost'],
    [withCode('UND_ERR_SOCKET'), 'connection_lost'],
    [withCode('UND_ERR_CONNECT_TIMEOUT'), 'connect_timeout'],
    [withCode('EHOSTUNREACH'), 'unreachable'],
    [withCode('CERT_HAS_EXPIRED'), 'tls'],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
    [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
    [Object.assign(withCode('HPE_INVALID_CONSTANT'), { name: 'HTTPParserError' }), 'bad_response'],
    [Object.assign(new Error('details'), { name: 'HTTPParserError' }), 'bad_response'],
    [withCode('UND_ERR_HEADERS_OVERFLOW'), 'bad_response'],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]), 'connection_refused'],
    [new Error('outer', { cause: withCode('ECONNRESET') }), 'connection_lost'],
    [withCode('EWHATEVER'), 'failed'],
    [new Error('no code'), 'failed'],
    ['a text', 'failed'],
  ])('calls %s %s', (error, expected) => {
    expect(classifyError(error)).toBe(expected);
  });
});
