import { describe, expect, it } from '@jest/globals';
import { classifyError, isShortage } from './classify-error.js';
import { BadResponseError, TimeoutError } from './exchange.js';
import { HandshakeError } from './pinned-socket.js';

const withCode = (code: string): Error => Object.assign(new Error('details'), { code });

describe('classifyError', () => {
  it.each([
    [withCode('ECONNREFUSED'), 'connection_refused'],
    [withCode('ECONNRESET'), 'connection_lost'],
    [withCode('EPIPE'), 'connection_lost'],
    [withCode('ETIMEDOUT'), 'connect_timeout'],
    [withCode('EHOSTUNREACH'), 'unreachable'],
    [new HandshakeError(withCode('CERT_HAS_EXPIRED')), 'tls'],
    [new HandshakeError(withCode('ECONNRESET')), 'tls'],
    [withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'tls'],
    [withCode('HPE_INVALID_CONSTANT'), 'bad_response'],
    [withCode('HPE_HEADER_OVERFLOW'), 'bad_response'],
    [new BadResponseError(), 'bad_response'],
    [new TimeoutError(), 'timeout'],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]), 'connection_refused'],
    [new Error('outer', { cause: withCode('ECONNRESET') }), 'connection_lost'],
    [withCode('EWHATEVER'), 'failed'],
    [new Error('no code'), 'failed'],
    ['a text', 'failed'],
  ])('gives the error %s the code %s', (error, expected) => {
    expect(classifyError(error)).toBe(expected);
  });
});

describe('isShortage', () => {
  it.each([
    [withCode('EMFILE'), true],
    [new AggregateError([withCode('ENOBUFS')]), true],
    [withCode('ECONNREFUSED'), false],
    [new Error('no code'), false],
  ])('returns for %s: %s', (error, expected) => {
    expect(isShortage(error)).toBe(expected);
  });
});
