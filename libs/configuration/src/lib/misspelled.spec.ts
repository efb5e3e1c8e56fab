import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findMisspelled, isNear } from './misspelled.js';
import { declareProcess } from './process.js';
import { variable } from './variable.js';

const declared = variable({ schema: z.string(), description: '', whenAbsent: '' });
const process = declareProcess({
  name: 'test',
  about: '',
  variables: { DATABASE_URL: declared, PORT: declared, RATE_LIMIT: declared },
});

describe('a misspelled variable', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATBAASE_URL', 'DATABASE_URL'],
    ['DATABASEURLS', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['RATELIMIT', 'RATE_LIMIT'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['PROT', 'PORT'],
    ['PORTS', 'PORT'],
  ])('%s resembles %s', (name, similar) => {
    expect(findMisspelled(process, { [name]: 'x' })).toEqual([{ variable: name, similar }]);
  });

  it.each(['HOST', 'PGPORT', 'PATH', 'REDIS_PORT', 'DATABASE_REPLICA_URL', 'TEST_DATABASE_URL', 'RATE', ''])(
    '%s resembles no variable',
    (name) => {
      expect(findMisspelled(process, { [name]: 'x' })).toEqual([]);
    },
  );

  it('is not reported when it is empty or declared', () => {
    expect(findMisspelled(process, { DATABSE_URL: '', PORT: '1', RATE_LIMIT: undefined })).toEqual([]);
  });

  it('is reported even when the right variable is set', () => {
    expect(findMisspelled(process, { RATE_LIMIT: '1', RATE_LIMTI: '2' })).toEqual([
      { variable: 'RATE_LIMTI', similar: 'RATE_LIMIT' },
    ]);
  });

  it('is recognised by comparing the names in either order', () => {
    expect([
      isNear('MAIL_FORM', 'MAIL_FROM'),
      isNear('MAIL_FROM', 'MAIL_FORM'),
      isNear('MAIL_FROM', 'MAIL_URL'),
    ]).toEqual([true, true, false]);
  });
});
