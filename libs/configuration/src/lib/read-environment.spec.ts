import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { declareProcess } from './process.js';
import {
  EnvironmentError,
  type EnvironmentViolation,
  type RawEnvironment,
  readEnvironment,
} from './read-environment.js';
import { schemas } from './schemas.js';
import { variable } from './variable.js';

const process = declareProcess({
  name: 'test',
  about: 'a process of this test',
  variables: {
    DATABASE_URL: variable({ schema: schemas.serverUrl(['postgres:']), description: '', isSecret: true }),
    MASTER_KEY: variable({ schema: z.string().min(32, { error: 'must be long' }), description: '', isSecret: true }),
    PORT: variable({ schema: schemas.port, description: '', default: '3000' }),
    IS_LOUD: variable({ schema: schemas.flag, description: '', default: 'no' }),
    LEVEL: variable({ schema: schemas.oneOf(['info', 'debug']), description: '', whenAbsent: 'as it is' }),
    LEAST: variable({ schema: schemas.wholeNumber(), description: '', default: '1' }),
    MOST: variable({
      schema: schemas.wholeNumber({ least: 1, most: 99, unit: 'days' }),
      description: '',
      default: '9',
    }),
  },
  requirements: [
    {
      variable: 'MOST',
      with: ['LEAST'],
      violation: ({ LEAST, MOST }) => (MOST >= LEAST ? null : 'must not be less than LEAST'),
    },
  ],
});
const right = { DATABASE_URL: 'postgres://user:password@host/db', MASTER_KEY: 'k'.repeat(32) };

function violationsOf(environment: RawEnvironment): readonly EnvironmentViolation[] {
  try {
    readEnvironment(process, environment);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.violations;
    throw error;
  }
}

const namesOf = (environment: RawEnvironment): readonly string[] =>
  violationsOf(environment).map(({ variable: name }) => name);

describe('the environment of a process', () => {
  it('has typed values and defaults, and no undeclared variables', () => {
    const environment = readEnvironment(process, { ...right, PORT: '8080', HOME: '/root' });
    expect(environment).toEqual({ ...right, PORT: 8080, IS_LOUD: false, LEAST: 1, MOST: 9 });
    expect(Object.isFrozen(environment)).toBe(true);
  });

  it('treats an empty variable as absent', () => {
    expect(readEnvironment(process, { ...right, PORT: '', LEVEL: '' })).toMatchObject({ PORT: 3000 });
    expect(violationsOf({ ...right, MASTER_KEY: '' })).toEqual([
      { variable: 'MASTER_KEY', info: 'is required but not set' },
    ]);
  });

  it('names every wrong variable in one message', () => {
    expect(() =>
      readEnvironment(process, {
        DATABASE_URL: 'mysql://host',
        PORT: '0',
        IS_LOUD: 'maybe',
        LEVEL: 'INFO',
        MOST: '100',
      }),
    ).toThrow(
      new EnvironmentError([
        {
          variable: 'DATABASE_URL',
          info: 'must be a URL of one server that starts with postgres://, with special characters percent-encoded',
        },
        { variable: 'MASTER_KEY', info: 'is required but not set' },
        { variable: 'PORT', info: 'must be a port number from 1 to 65535' },
        { variable: 'IS_LOUD', info: 'must be true or false' },
        { variable: 'LEVEL', info: 'must be one of info, debug' },
        { variable: 'MOST', info: 'must be a whole number of days from 1 to 99' },
      ]),
    );
  });

  it('reports unmet requirements together with other errors', () => {
    expect(violationsOf({ ...right, LEAST: '10' })).toEqual([
      { variable: 'MOST', info: 'must not be less than LEAST' },
    ]);
    expect(namesOf({ ...right, LEAST: '10', PORT: 'x' })).toEqual(['PORT', 'MOST']);
  });

  it('skips requirements about a variable that is invalid itself', () => {
    expect(namesOf({ ...right, LEAST: 'ten' })).toEqual(['LEAST']);
  });

  it('names the misspelled variable when a required one is missing', () => {
    const { DATABASE_URL, ...others } = right;
    expect(violationsOf({ ...others, DATABSE_URL: DATABASE_URL })).toEqual([
      { variable: 'DATABASE_URL', info: 'is required but not set (DATABSE_URL is set, but nothing reads it)' },
    ]);
  });

  it('names exactly the wrong variables, and never a value', () => {
    const names = Object.keys(process.variables) as (keyof typeof process.variables)[];
    const secret = fc.stringMatching(/^[A-Za-z0-9]{12}$/).map((text) => `~${text}~`);
    const wrong = secret.chain((text) =>
      fc.constantFrom(
        text,
        `mysql://user:${text}@host/db`,
        `http://${text}`,
        `${text}\n1`,
        `65536${text}`,
        `tr${text}ue`,
        `info,${text}`,
      ),
    );
    const short = wrong.filter((text) => text.length < 32);
    const wrongOnes = fc.tuple(
      fc.subarray(names),
      fc.array(short, { minLength: names.length, maxLength: names.length }),
      fc.subarray(names),
    );
    fc.assert(
      fc.property(wrongOnes, ([given, values, empty]) => {
        const environment: Record<string, string | undefined> = { ...right };
        for (const name of empty) environment[name] = '';
        for (const [index, name] of given.entries()) environment[name] = values[index];
        const missing = empty.filter((name) => name in right && !given.includes(name));
        const expected = names.filter((name) => given.includes(name) || missing.includes(name));
        const violations = violationsOf(environment);
        expect(violations.map(({ variable: name }) => name)).toEqual(expected);
        expect(new EnvironmentError(violations).message).not.toContain('~');
      }),
    );
  });
});
