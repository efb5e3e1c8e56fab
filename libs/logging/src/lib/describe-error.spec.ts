import { describe, expect, it } from '@jest/globals';
import { describeError } from './describe-error.js';

const SECRET = 'Wilhelmina';
const textOf = (error: unknown): string => JSON.stringify(describeError(error));
const made = (properties: object, message = SECRET, type: new (message: string) => Error = Error): Error =>
  Object.assign(new type(message), properties);
class QueryFailedError extends Error {
  constructor(readonly driverError: Error) {
    super(driverError.message);
    this.name = 'QueryFailedError';
  }
}

/** Errors as the libraries create them. Each error contains `SECRET` in one of its properties. */
const ofPostgres = made(
  {
    severity: 'ERROR',
    code: '23505',
    detail: `Key (email)=(${SECRET}) already exists.`,
    table: 'users',
    constraint: 'uq_users_email',
    routine: '_bt_check_unique',
    where: SECRET,
    internalQuery: SECRET,
  },
  `duplicate key ${SECRET}`,
);
const HOSTILE: readonly (readonly [string, unknown, object])[] = [
  [
    'PostgreSQL',
    ofPostgres,
    { type: 'Error', code: '23505', table: 'users', constraint: 'uq_users_email', routine: '_bt_check_unique' },
  ],
  [
    'TypeORM',
    made(
      { query: `SELECT '${SECRET}'`, parameters: [SECRET] },
      SECRET,
      class extends QueryFailedError {
        constructor() {
          super(ofPostgres);
        }
      },
    ),
    { type: 'QueryFailedError', code: '23505', constraint: 'uq_users_email' },
  ],
  [
    'ioredis',
    made(
      { name: 'ReplyError', command: { name: 'set', args: [SECRET] } },
      `ERR unknown command 'x', with args beginning with: '${SECRET}'`,
    ),
    { type: 'ReplyError', reply: 'ERR', command: 'set' },
  ],
  [
    'nodemailer',
    made({
      code: 'EENVELOPE',
      responseCode: 550,
      response: `550 <${SECRET}@example.com> unknown`,
      command: `RCPT TO:<${SECRET}>`,
      rejected: [SECRET],
    }),
    { type: 'Error', code: 'EENVELOPE', response_code: 550, command: 'RCPT TO' },
  ],
  [
    'undici',
    new TypeError('fetch failed', { cause: made({ code: 'UND_ERR_SOCKET', socket: { remoteAddress: SECRET } }) }),
    { message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } },
  ],
  [
    'Node',
    made({ code: 'ERR_INVALID_ARG_TYPE' }, `must be a string. Received '${SECRET}'`, TypeError),
    { type: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' },
  ],
  ['a URL', made({ code: 'ERR_INVALID_URL', input: SECRET }, 'Invalid URL', TypeError), { code: 'ERR_INVALID_URL' }],
  ['JSON', thrownBy(() => JSON.parse(`{"firstname": ${SECRET}}`)), { type: 'SyntaxError' }],
  ['an operator', thrownBy(() => 'x' in (SECRET as unknown as object)), { type: 'TypeError' }],
  ['a conversion', thrownBy(() => BigInt(SECRET)), { type: 'SyntaxError' }],
  [
    'a quotation',
    new Error(`cannot read "${SECRET}" of 'a ${SECRET}' <${SECRET}> \`${SECRET}\``),
    { message: 'cannot read … of … … …' },
  ],
  ['a quotation without an end', new Error(`cannot read "${SECRET}`), { message: 'cannot read …' }],
  ['an e-mail address', new Error(`no such address: ${SECRET}@example.com`), { message: 'no such address: …' }],
  ['a query', new Error(`GET /candidates?filter=${SECRET} failed`), { message: 'GET /candidates?… failed' }],
  ['a key', new Error(`wrong key ${'a1'.repeat(32)}`), { message: 'wrong key …' }],
  ['a line that looks like a frame', new Error(`odd\n    at ${SECRET} "x" (/home/x.js:1:1)`), { message: 'odd' }],
  [
    'several at once',
    new AggregateError(
      [
        made({ severity: 'ERROR', code: '22P02' }),
        made({ code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.5', port: 5432 }),
      ],
      '',
    ),
    {
      type: 'AggregateError',
      errors: [{ code: '22P02' }, { code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.5', port: 5432 }],
    },
  ],
  [
    'a cause',
    new Error('could not be stored', { cause: new Error('outer', { cause: ofPostgres }) }),
    { message: 'could not be stored', cause: { message: 'outer', cause: { code: '23505' } } },
  ],
  ['a value that is not an error', { message: SECRET, toString: () => SECRET }, { type: 'object' }],
  ['a text', SECRET, { type: 'string' }],
];

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('describeError', () => {
  it.each(HOSTILE)('keeps no value of %s', (_, error, expected) => {
    expect(textOf(error)).not.toContain(SECRET);
    expect(textOf(error)).not.toContain('a1a1');
    expect(describeError(error)).toMatchObject(expected);
  });

  it.each([
    ['57P01', 'terminating connection due to administrator command'],
    ['53300', 'sorry, too many clients already'],
    ['40P01', 'deadlock detected'],
  ])('keeps messages of PostgreSQL about the server (%s)', (code, message) => {
    expect(describeError(made({ severity: 'FATAL', code }, message))).toMatchObject({
      code,
      message,
      severity: 'FATAL',
    });
  });

  it.each([
    new Error('Connection terminated unexpectedly'),
    made({ code: 'database_unavailable' }, 'the database is unavailable: too many connections'),
    new Error("Nest can't resolve dependencies of the Matcher (?)"),
    thrownBy(() => (undefined as unknown as { id: number }).id) as Error,
  ])('keeps messages about the program: %s', (error) => {
    expect(describeError(error).message).toBe(error.message);
  });

  it('keeps the stack, but without the message at its beginning', () => {
    const { stack = [] } = describeError(new Error(`two\nlines of "${SECRET}"`));
    expect(stack[0]).toMatch(/describe-error\.spec\.ts:\d+:\d+\)?$/);
    expect(stack.join()).not.toMatch(/two|lines/);
  });

  it('uses the class name when an error class sets no name', () => {
    class LostError extends Error {}
    expect(describeError(new LostError('gone'))).toMatchObject({ type: 'LostError', message: 'gone' });
  });

  it('ends at circular causes, and never throws', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(textOf(circle).match(/"round"/g)).toHaveLength(6);
    const broken = Object.defineProperty(new Error('x'), 'code', {
      get: () => {
        throw new Error(SECRET);
      },
    });
    expect(describeError(broken)).toEqual({ type: 'an error that cannot be described' });
  });
});
