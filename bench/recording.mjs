import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../tools/services/ports.mjs';
import { Client } from './collections/client.mjs';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { postgresMeter, startMeter } from './cpu.mjs';
import { judge, printTable } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';
import { compare, trimmedMean } from './recording/paired.mjs';

export const projects = ['@ats/api'];

/** Requests to each collection before the first round, in which the code of the process is compiled. */
const WARM_UP = 1_500;
/** Requests after a switch that are not measured, because PostgreSQL plans statements again. */
const SETTLING = 6;
/** Time in ms after which the API has sent the NOTIFY of all events. */
const NOTIFIED_MS = 30;
/** Greatest accepted ratio of the computing time of a PUT with all recording to the time without it. */
const LIMIT = 1.1;
/** Greatest accepted difference between two equal sides. With a greater difference, the run measures only noise. */
const NOISE = 0.02;
const ALL = 'events and changes feed';
const AGAIN = 'the same, again';
const EVENTS = 'events only';
const FEED = 'changes feed only';
const NONE = 'neither';

/** The compared sides. Each side records events, changes of the feed, both or neither. */
const SIDES = [
  { name: ALL, hasEvents: true, hasTriggers: true },
  { name: NONE, hasEvents: false, hasTriggers: false },
  { name: FEED, hasEvents: false, hasTriggers: true },
  { name: EVENTS, hasEvents: true, hasTriggers: false },
  { name: AGAIN, hasEvents: true, hasTriggers: true },
];

const usage = `${DATABASE_USAGE}, default 1000
  --rounds        number of rounds, default 100
  --requests      requests to each side in a round, default 20
  --only          some of job_boards, candidates and vacancies, separated by commas; default all`;

/**
 * Maps a collection whose items are replaced to its table, the body of a new item, and a function that returns the
 * changed properties for a number.
 */
const COLLECTIONS = {
  job_boards: {
    table: 'job_boards',
    body: { name: 'Board', code: 'bench' },
    change: (number) => ({ name: `Board ${number}` }),
  },
  candidates: {
    table: 'users',
    body: { firstname: 'Ann', lastname: 'Lee', email: 'ann.lee@bench.example' },
    change: (number) => ({ lastname: `Lee ${number}` }),
  },
  vacancies: { table: 'opportunities', body: { title: 'Bench' }, change: (number) => ({ title: `Bench ${number}` }) },
};

/**
 * Measures what the events of a change and the triggers of the changes feed cost a PUT, in processor time of the API
 * and of its sessions in PostgreSQL. One API process answers one request at a time. The sides take turns after a few
 * requests, and differ only in what they record. Each request changes a value. Exits with 1 when the recording costs
 * too much, or when two equal sides differ.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = {
    ...{ database: undefined, applications: 1_000, rounds: 100, requests: 20 },
    only: Object.keys(COLLECTIONS),
  };
  const { rounds, requests, only, ...options } = readOptions('recording', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const port = String(await freePort());
    const script = join(import.meta.dirname, 'recording/switched-api.mjs');
    const { client, nodeMeter } = await open(startApi(database, { script, settings: { SWITCH_PORT: port } }));
    const single = new Client(client.origin, { token: database.tokens.writer, connections: 1 });
    const switches = new Client(`http://127.0.0.1:${port}`, { connections: 1 });
    for (const one of [single, switches]) await open({ stop: () => one.close() });
    const results = [];
    for (const collection of only) {
      const { table, body, change } = COLLECTIONS[collection];
      const { text } = await single.send('POST', `/api/v1/${collection}`, body);
      const { id } = JSON.parse(text);
      let number = 0;
      const write = () => {
        number += 1;
        return single.send('PUT', `/api/v1/${collection}/${id}`, { ...body, ...change(number) });
      };
      const turn = async ({ hasEvents, hasTriggers }) => {
        await switches.send('PUT', hasEvents ? '/on' : '/off');
        await switchTriggers(database, table, hasTriggers);
      };
      const figures = await figuresOf({ write, turn, database, nodeMeter, rounds, requests });
      results.push(show(`PUT of one of the ${collection}`, figures));
      await checkEvents(database, collection, id);
    }
    const worst = Math.max(...results.map(({ ratio }) => ratio));
    const noise = Math.max(...results.map(({ again }) => Math.abs(again - 1)));
    judge('two equal sides differ by at most 2 %', noise <= NOISE, `worst ${(noise * 100).toFixed(1)} %`);
    judge(
      'events and the changes feed cost at most 10 % of the processor time of a PUT',
      worst <= LIMIT,
      `worst ratio ${worst.toFixed(3)}`,
    );
  });
}

/** Maps each side to the processor times of a request in ms, one time for each round. */
async function figuresOf({ write, turn, database, nodeMeter, rounds, requests }) {
  for (let request = 0; request < WARM_UP; request += 1) await write();
  const figures = new Map(SIDES.map(({ name }) => [name, { node: [], postgres: [] }]));
  const wholeServer = postgresMeter(database.backendPid);
  const serverBefore = wholeServer();
  const sessions = startMeter(await sessionsOf(database));
  for (let round = 0; round < rounds; round += 1) {
    const pids = await sessionsOf(database);
    for (const side of orderOf(round)) {
      await turn(side);
      for (let request = 0; request < SETTLING; request += 1) await write();
      await sleep(NOTIFIED_MS);
      const [nodeBefore, clients] = [nodeMeter(), startMeter(pids)];
      for (let request = 0; request < requests; request += 1) await write();
      await sleep(NOTIFIED_MS);
      const { node, postgres } = figures.get(side.name);
      node.push((nodeMeter() - nodeBefore) / requests);
      postgres.push(clients() / requests);
    }
  }
  const others = wholeServer() - serverBefore - sessions();
  const writes = rounds * SIDES.length * (SETTLING + requests);
  console.log(`other processes of PostgreSQL: ${(others / writes).toFixed(3)} ms for each PUT, counted for no side`);
  return figures;
}

/** Returns the sides in the order of a round. Over all rounds, each side follows each other one equally often. */
function orderOf(round) {
  const first = round % SIDES.length;
  const order = [...SIDES.slice(first), ...SIDES.slice(0, first)];
  return Math.floor(round / SIDES.length) % 2 === 0 ? order : order.reverse();
}

/** Returns the process ids of all sessions except that of the benchmark. */
async function sessionsOf({ query }) {
  const rows = await query(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}

/**
 * Switches the triggers of a table that record changes for the feed. Also sets triggers that have the wanted state
 * already, because PostgreSQL then plans statements again before each side is measured.
 */
async function switchTriggers({ query }, table, isOn) {
  const triggers = await query(
    `SELECT tgname AS name FROM pg_trigger WHERE tgfoid = 'record_change'::regproc AND tgrelid = $1::regclass`,
    [table],
  );
  const actions = triggers.map(({ name }) => `${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
  await query(`ALTER TABLE ${table} ${actions.join(', ')}`);
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

/** @returns {{ ratio: number, again: number }} the ratios of all recording to none, and of the two equal sides */
function show(title, figures) {
  const wholeOf = ({ node, postgres }) => node.map((ms, round) => ms + postgres[round]);
  const whole = new Map([...figures].map(([name, figure]) => [name, wholeOf(figure)]));
  const shown = ({ ratio, from, to }) => `${ratio.toFixed(3)} (${from.toFixed(3)} to ${to.toFixed(3)})`;
  const compared = (name, base) => compare(whole.get(name), whole.get(base));
  printTable([
    [title, 'ms', 'Node', 'PostgreSQL', `/ ${NONE}`],
    ...[...figures].map(([name, { node, postgres }]) => [
      name,
      ...[whole.get(name), node, postgres].map((values) => trimmedMean(values).toFixed(3)),
      shown(compared(name, NONE)),
    ]),
  ]);
  const again = compared(AGAIN, ALL);
  console.log(`${AGAIN} / ${ALL}: ${shown(again)}`);
  return { ratio: compared(ALL, NONE).ratio, again: again.ratio };
}
