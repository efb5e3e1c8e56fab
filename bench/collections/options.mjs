import { parseArgs } from 'node:util';
import { PlainError } from '../../tools/workspace.mjs';

/** The values of `--only`, in the order in which the parts run. */
export const PARTS = ['w1', 'w2', 'w3', 'w4', 'w5', 'counting', 'pages', 'memory'];

const usage = `usage: npm run bench -- collections [--database <url>] [--applications N] [--only w1,counting] [--seconds N]
  --database      URL of a seeded database; without it the command starts and seeds a PostgreSQL. The command adds two
                  credentials, and the part "counting" adds domain events. REDIS_URL is used when it is set
  --applications  number of applications to seed, default 1000000
  --only          parts of ${PARTS.join(', ')}
  --seconds       seconds for each side of a comparison, default 10`;

/** @param {string[]} args */
export function readOptions(args) {
  let values;
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    ({ values } = parseArgs({ args, options: { database: text, applications: text, only: text, seconds: text } }));
  } catch (error) {
    throw new PlainError(`${error.message}\n${usage}`);
  }
  const only = values.only?.split(',') ?? PARTS;
  const unknown = only.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new PlainError(`--only does not know ${unknown.join(', ')}\n${usage}`);
  return {
    databaseUrl: values.database,
    applications: wholeNumber('applications', values.applications ?? '1000000'),
    seconds: wholeNumber('seconds', values.seconds ?? '10'),
    has: (part) => only.includes(part),
  };
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new PlainError(`--${name} must be a whole number of at least 1\n${usage}`);
  return Number(text);
}
