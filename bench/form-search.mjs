import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { fillFormValues } from './form-search/values.mjs';
import { judge, median, printTable, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

const usage = `${DATABASE_USAGE}, default 1000000
  --seconds       seconds for each pair of searches, default 10`;
/** Greatest accepted ratio of the time of a search by form item to the time of a search by column. */
const AIM = 3;

/**
 * Compares searching and sorting applications by a form item with doing so by a column that has the same values, at the
 * same API. Adds a form and its values to the database. Exits with 1 when a target is missed.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 1_000_000, seconds: 10 };
  const { seconds, ...options } = readOptions('form-search', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const items = await fillFormValues(database.query);
    await compare({ api: await open(startApi(database)), items, database, seconds });
  });
}

async function compare({ api, items, database, seconds }) {
  const times = ['first request ms, item', 'first request ms, column', 'slowest ms, item', 'slowest ms, column'];
  const rows = [['', 'form item ms', 'own column ms', 'ratio', 'target', ...times]];
  for (const { title, requests } of await findWorkloads(database)) {
    const pairs = requests.map((query) => ({
      form: pathOf(query, (name) => `formdata.${items[name]}`),
      own: pathOf(query, ownColumn),
    }));
    const { form, own, ratio } = await alternate(api.client, pairs, seconds * 1000);
    const isMet = judge(`${title}: at most ${AIM} times as long as by an own column`, ratio <= AIM, ratio.toFixed(2));
    const figures = [form.median, own.median, ratio, isMet, form.first, own.first, form.slowest, own.slowest];
    const show = (figure) => (figure === isMet ? (isMet ? 'met' : 'MISSED') : figure.toFixed(figure === ratio ? 2 : 1));
    rows.push([title, ...figures.map(show)]);
  }
  printTable(rows);
}

/**
 * Measures pairs of requests: `form` searches by form item, `own` by column. Sends one request at a time. The request
 * of a pair that is sent first changes with each pair. Every pair is sent at least once.
 */
async function alternate(client, pairs, ms) {
  const times = { form: [], own: [] };
  const first = { form: [], own: [] };
  const start = performance.now();
  for (let turn = 0; turn < pairs.length || performance.now() - start < ms; turn++) {
    const pair = pairs[turn % pairs.length];
    const texts = {};
    for (const side of turn % 2 === 0 ? ['form', 'own'] : ['own', 'form']) {
      const ms = await timed(async () => (texts[side] = await answerTo(client, pair[side])));
      (turn < pairs.length ? first : times)[side].push(ms);
    }
    if (!Object.values(texts).includes(TOO_LONG) && texts.form !== texts.own)
      throw new Error(`${pair.form} and ${pair.own} return different items`);
  }
  const all = { form: [...first.form, ...times.form], own: [...first.own, ...times.own] };
  const figuresOf = (side) => ({
    median: median(all[side]),
    first: median(first[side]),
    slowest: Math.max(...all[side]),
  });
  return {
    form: figuresOf('form'),
    own: figuresOf('own'),
    ratio: median(all.form.map((form, index) => form / all.own[index])),
  };
}

const TOO_LONG = Symbol('too long');

/** A request that exceeds the API's time limit of 10 s is measured as if it took 10 s. */
async function answerTo(client, path) {
  try {
    return (await client.get(path)).text;
  } catch (error) {
    if (error.message.includes('too_complex')) return TOO_LONG;
    throw error;
  }
}

const ownColumn = (name) => (name === 'at' ? 'created_dt' : name);

/**
 * Returns the path of a request. Replaces each `{name}` in the query by the key that `nameOf` returns for the name.
 * @param {string} query
 */
const pathOf = (query, nameOf) => `/api/v1/applications?${query.replaceAll(/\{(\w+)\}/g, (_, name) => nameOf(name))}`;

const search = (operator, values, name) =>
  values.map((value) => `search={${name}}${encodeURIComponent(`${operator}${value}`)}`);

/**
 * Returns the workloads, with values that occur in the database.
 * @returns {Promise<{ title: string, requests: string[] }[]>}
 */
async function findWorkloads({ query }) {
  const sample = await query(
    `SELECT reference FROM applications WHERE app_type = 'vacancy_application' AND id % 149999 = 0 ORDER BY id`,
  );
  const references = sample.map(({ reference }) => reference);
  const sources = (await query('SELECT source FROM applications WHERE source IS NOT NULL GROUP BY 1 ORDER BY 1')).map(
    ({ source }) => source,
  );
  const [{ since }] = await query(
    `SELECT percentile_disc(ARRAY[0.999, 0.99, 0.97, 0.9, 0.5]) WITHIN GROUP (ORDER BY created_dt)::date[]::text[] AS since FROM applications WHERE app_type = 'vacancy_application'`,
  );
  const orders = (name) => ['asc', 'desc'].map((direction) => `sort={${name}}!${direction}`);
  return [
    { title: 'equal, one match', requests: search('=', references, 'reference') },
    { title: 'equal, many matches', requests: search('=', sources, 'source') },
    {
      title: 'one of two',
      requests: sources
        .slice(1)
        .map((source, index) => `search={source}${encodeURIComponent(`={${sources[index]},${source}}`)}`),
    },
    { title: 'equal, no match', requests: ['search={source}=', 'search={rating}='] },
    { title: 'not equal', requests: search('!=', sources, 'source') },
    {
      title: 'a substring with few matches',
      requests: search(
        '=~',
        references.map((reference) => reference.slice(-5)),
        'reference',
      ),
    },
    {
      title: 'a substring with many matches',
      requests: search('=~', ['work', 'uni', 'ref', 'career', 'agency', 'walk-in', 'ten'], 'source'),
    },
    { title: 'without a substring', requests: search('!~', ['work', 'uni', 'ref', 'career', 'agency'], 'source') },
    { title: 'a number from', requests: search('>=', [1, 2, 3, 4, 5], 'rating') },
    { title: 'a timestamp since', requests: search('>=', since, 'at') },
    { title: 'a timestamp before', requests: search('<', since, 'at') },
    { title: 'sorted by a timestamp', requests: orders('at') },
    { title: 'sorted by a number', requests: orders('rating') },
    { title: 'sorted by a text', requests: orders('reference') },
    {
      title: 'since a timestamp, sorted by it',
      requests: search('>=', since, 'at').map((part) => `${part}&sort={at}!desc`),
    },
  ];
}
