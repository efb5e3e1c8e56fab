import { parseArgs } from 'node:util';
import { PlainError } from '../../tools/workspace.mjs';

const usage = `usage: npm run bench -- quick-search [--database <url>] [--applications N] [--rounds N] [--alone]
  --database      a seeded database; defaults to a new PostgreSQL that is seeded. Two credentials are added during the run;
                  REDIS_URL is used when it is set
  --applications  number of applications to seed; defaults to 1000000
  --rounds        number of searches for each text; defaults to 40
  --alone         skips the hand-written statements, which take most of the time`;

/** @param {string[]} args */
export function readOptions(args) {
  let values;
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    ({ values } = parseArgs({
      args,
      options: { database: text, applications: text, rounds: text, alone: { type: 'boolean' } },
    }));
  } catch (error) {
    throw new PlainError(`${error.message}\n${usage}`);
  }
  return {
    databaseUrl: values.database,
    applications: wholeNumber('applications', values.applications ?? '1000000'),
    rounds: wholeNumber('rounds', values.rounds ?? '40'),
    isAlone: values.alone ?? false,
  };
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new PlainError(`--${name} must be a whole number of at least 1\n${usage}`);
  return Number(text);
}
