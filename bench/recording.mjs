import { join } from 'node:path';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { Client } from './collections/client.mjs';
import { postgresMeter } from './cpu.mjs';
import { judge, median, printTable, quantile } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

const WARM_UP_ROUNDS = 3;
/** Requests after a change of the triggers that are not measured, because PostgreSQL plans statements again. */
const SETTLING = 10;
/** Greatest accepted ratio of the computing time of a PUT with all recording to the time without it. */
const LIMIT = 1.1;
const ALL = 'events and changes feed';
const AGAIN = 'the same, again';
const FEED = 'changes feed only';
const NONE = 'neither';

const usage = `${DATABASE_USAGE}, default 1000
  --rounds        number of rounds, default 20
  --requests      requests to each side in a round, default 100`;

/** The collections whose items are replaced: the body of a new item, and its change with a number. */
const COLLECTIONS = {
  job_boards: { body: { name: 'Board', code: 'bench' }, change: (number) => ({ name: `Board ${number}` }) },
  candidates: {
    body: { firstname: 'Ann', lastname: 'Lee', email: 'ann.lee@bench.example' },
    change: (number) => ({ lastname: `Lee ${number}` }),
  },
  vacancies: { body: { title: 'Bench' }, change: (number) => ({ title: `Bench ${number}` }) },
};

/**
 * Measures what the events of a change and the triggers of the changes feed cost a PUT, in computing time of the API
 * and of PostgreSQL. Sends one request at a time, to all sides in turn. Each request changes a value. Exits with 1 when
 * the events cost too much.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 1_000, rounds: 20, requests: 100 };
  const { rounds, requests, ...options } = readOptions('recording', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const postgres = postgresMeter(database.backendPid);
    const side = async (name, script, hasTriggers) => {
      const path = join(import.meta.dirname, `recording/${script}-api.mjs`);
      const { client, nodeMeter } = await open(startApi(database, { name, script: path }));
      const single = new Client(client.origin, { token: database.tokens.writer, connections: 1 });
      await open({ stop: () => single.close() });
      return { name, client: single, hasTriggers, meter: () => nodeMeter() + postgres() };
    };
    const sides = [
      await side(ALL, 'recorded', true),
      await side(NONE, 'unrecorded', false),
      await side(FEED, 'unrecorded', true),
      await side(AGAIN, 'recorded', true),
    ];
    const ratios = [];
    for (const [collection, { body, change }] of Object.entries(COLLECTIONS)) {
      const { text } = await sides[0].client.send('POST', `/api/v1/${collection}`, body);
      const { id } = JSON.parse(text);
      let number = 0;
      const write = (client) => {
        number += 1;
        return client.send('PUT', `/api/v1/${collection}/${id}`, { ...body, ...change(number) });
      };
      const figures = await figuresOf(sides, { write, database, rounds, requests });
      ratios.push(show(`PUT of one of the ${collection}`, figures));
      await checkEvents(database, collection, id);
    }
    const worst = Math.max(...ratios);
    judge(
      'the events cost at most 10 % of the computing time of a PUT',
      worst <= LIMIT,
      `worst median ${worst.toFixed(3)}`,
    );
  });
}

/** Returns the computing times of a request in ms, by side. */
async function figuresOf(sides, { write, database, rounds, requests }) {
  const figures = new Map(sides.map(({ name }) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    // Each round begins with another side, so that no side is always measured first.
    for (let turn = 0; turn < sides.length; turn += 1) {
      const { name, client, hasTriggers, meter } = sides[(round + WARM_UP_ROUNDS + turn) % sides.length];
      await switchTriggers(database, hasTriggers);
      for (let request = 0; request < SETTLING; request += 1) await write(client);
      const before = meter();
      for (let request = 0; request < requests; request += 1) await write(client);
      if (round >= 0) figures.get(name).push((meter() - before) / requests);
    }
  }
  return figures;
}

/** Switches the triggers that record changes for the feed. */
async function switchTriggers(database, isOn) {
  const triggers = await database.query(
    `SELECT tgrelid::regclass::text AS source, tgname AS name FROM pg_trigger
     WHERE tgfoid = 'record_change'::regproc AND tgenabled = $1`,
    [isOn ? 'D' : 'O'],
  );
  for (const { source, name } of triggers)
    await database.query(`ALTER TABLE ${source} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
}

/** Prints how many events and changes were recorded for an item. The numbers show that the sides differed. */
async function checkEvents({ query }, collection, id) {
  const [{ events }] = await query(
    `SELECT count(*)::integer AS events FROM domain_events WHERE subject_id = $1 AND type LIKE '%_UPDATE'`,
    [id],
  );
  const [{ changes }] = await query(
    `SELECT (SELECT count(*) FROM changes WHERE resource = $1 AND item_id = $2)
       + (SELECT count(*) FROM change_inbox WHERE resource = $1 AND item_id = $2) AS changes`,
    [collection, id],
  );
  console.log(`${events} events and ${changes} changes were recorded`);
}

/** @returns {number} the median ratio of all recording to none */
function show(title, figures) {
  const base = figures.get(NONE);
  const ratiosOf = (name) => figures.get(name).map((ms, round) => ms / base[round]);
  const quartiles = (values) => [0.5, 0.25, 0.75].map((share) => quantile(values, share).toFixed(3));
  printTable([
    [title, 'ms, median', `/ ${NONE}, median`, 'p25', 'p75'],
    ...[...figures].map(([name, values]) => [name, median(values).toFixed(2), ...quartiles(ratiosOf(name))]),
  ]);
  return median(ratiosOf(ALL));
}
