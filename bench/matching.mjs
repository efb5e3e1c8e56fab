import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { measure, median, perSecond, printTable } from './measure.mjs';

export const projects = ['@ats/datapath'];

const SIZES = [10_000, 100_000];
const EVENTS = 256;
const OPPORTUNITIES = 20_000;
const STATES = 60;
const now = new Date('2026-11-21T09:30:00.000Z');

const shapes = new Map(
  [
    {
      name: 'application',
      attributes: {
        id: { type: 'integer' },
        opportunity_id: { type: 'integer' },
        score: { type: 'decimal' },
        applied_date: { type: 'date' },
      },
      relations: { main_process_state: { target: 'process_state' } },
    },
    { name: 'process_state', attributes: {}, relations: { state: { target: 'state' } } },
    { name: 'state', attributes: { id: { type: 'integer' } }, relations: {} },
  ].map((shape) => [shape.name, shape]),
);
const model = { type: (name) => shapes.get(name) };

const opportunity = 'application.opportunity_id';
const state = 'application.main_process_state.state.id';
const score = 'application.score';

/** Returns a function that gives a repeatable sequence of numbers in [0, 1). */
function createRandom(seed) {
  let current = seed;
  return () => {
    current = (Math.imul(current, 1_664_525) + 1_013_904_223) >>> 0;
    return current / 2 ** 32;
  };
}

/**
 * Creates topics: 80 % `opportunity_id == N`, half of them with a state; 15 % a state alone; 5 % ranges of the score.
 */
function createTopics(count, random) {
  return Array.from({ length: count }, (_, id) => {
    const kind = random();
    const opportunityId = Math.floor(random() * OPPORTUNITIES);
    const stateId = Math.floor(random() * STATES);
    if (kind < 0.4) return { id, opportunityId };
    if (kind < 0.8) return { id, opportunityId, stateId };
    if (kind < 0.95) return { id, stateId };
    return { id, bound: Math.round((90 + random() * 10) * 100) / 100, isAtLeast: random() < 0.5 };
  });
}

function textOf({ opportunityId, stateId, bound, isAtLeast }) {
  if (bound !== undefined) return `${score} ${isAtLeast ? '>=' : '>'} ${bound}`;
  const parts = [];
  if (opportunityId !== undefined) parts.push(`${opportunity} == ${opportunityId}`);
  if (stateId !== undefined) parts.push(`${state} == ${stateId}`);
  return parts.join(' AND ');
}

function createEvents(random) {
  return Array.from({ length: EVENTS }, () => {
    const facts = new Map([
      [opportunity, Math.floor(random() * OPPORTUNITIES)],
      [state, Math.floor(random() * STATES)],
      [score, Math.round((85 + random() * 10) * 100) / 100],
    ]);
    return { valueOf: (datapath) => facts.get(datapath), now, timeZone: 'UTC' };
  });
}

/** Creates the limit for an index: hash maps and sorted arrays that are written by hand for the topics of this file. */
function createLimit(topics) {
  const byOpportunity = new Map();
  const byBoth = new Map();
  const byState = new Map();
  const put = (map, key, id) => {
    const ids = map.get(key);
    if (ids) ids.push(id);
    else map.set(key, [id]);
  };
  const bothKey = (opportunityId, stateId) => opportunityId * 65_536 + stateId;
  for (const { id, opportunityId, stateId } of topics) {
    if (opportunityId !== undefined && stateId !== undefined) put(byBoth, bothKey(opportunityId, stateId), id);
    else if (opportunityId !== undefined) put(byOpportunity, opportunityId, id);
    else if (stateId !== undefined) put(byState, stateId, id);
  }
  const sorted = (isAtLeast) => {
    const found = topics
      .filter((topic) => topic.bound !== undefined && topic.isAtLeast === isAtLeast)
      .sort((a, b) => a.bound - b.bound);
    return { bounds: Float64Array.from(found, ({ bound }) => bound), ids: found.map(({ id }) => id) };
  };
  const atLeast = sorted(true);
  const above = sorted(false);
  return (context) => {
    const matched = [];
    const stateId = context.valueOf(state);
    const opportunityId = context.valueOf(opportunity);
    const value = context.valueOf(score);
    for (const id of byOpportunity.get(opportunityId) ?? []) matched.push(id);
    for (const id of byBoth.get(bothKey(opportunityId, stateId)) ?? []) matched.push(id);
    for (const id of byState.get(stateId) ?? []) matched.push(id);
    for (let index = 0; index < atLeast.ids.length && atLeast.bounds[index] <= value; index++)
      matched.push(atLeast.ids[index]);
    for (let index = 0; index < above.ids.length && above.bounds[index] < value; index++)
      matched.push(above.ids[index]);
    return matched;
  };
}

const repeatOver = (work, events) => (count) => {
  let matches = 0;
  for (let index = 0; index < count; index++) matches += work(events[index % events.length]).length;
  return matches;
};

export async function run() {
  const { parseExpression, checkExpression, compileExpression, TopicIndex } = await import(
    '../libs/datapath/dist/index.js'
  );
  const compile = (text) =>
    compileExpression(checkExpression(parseExpression(text), model, ['application'], { hasPast: true }));
  const events = createEvents(createRandom(2));
  const cases = [...SIZES.map((size) => [size, size]), [SIZES[0], SIZES[1]]].map(([size, total]) => {
    const topics = [...createTopics(size, createRandom(1)), ...createElsewhere(total - size, size)];
    const name = size === total ? `${size} topics` : `${size}, and ${total - size} that never match`;
    const { index, bytes } = weigh(() => fill(new TopicIndex(), topics, compile));
    const compiled = topics.map((topic) => [topic.id, compile(textOf(topic))]);
    const bruteForce = (context) => compiled.filter(([, expression]) => expression.test(context)).map(([id]) => id);
    const rivals = { index: (context) => index.match(context), limit: createLimit(topics), bruteForce };
    const matches = agree(events, rivals);
    return { name, bytes, matches, rivals, ...measureChanges(compiled, () => new TopicIndex()) };
  });
  const measureAll = (kind, options) =>
    measure(
      cases.map(({ name, rivals }) => ({ name: `${name} ${kind}`, repeat: repeatOver(rivals[kind], events) })),
      options,
    );
  const rates = new Map([...measureAll('bruteForce', { rounds: 3 }), ...measureFast(cases, events)]);
  const rows = cases.map(({ name, matches, bytes, adding, removing }) => {
    const [brute, index, limit] = ['bruteForce', 'index', 'limit'].map((kind) => rates.get(`${name} ${kind}`));
    const changes = [adding.toFixed(2), removing.toFixed(2), bytes.toFixed(0)];
    return [
      name,
      matches.toFixed(1),
      perSecond(brute),
      perSecond(index),
      perSecond(limit),
      (index / limit).toFixed(2),
      ...changes,
    ];
  });
  const head = ['Events per second', 'matches per event', 'brute force', 'index', 'limit', 'index / limit'];
  printTable([[...head, 'adding, µs', 'removing, µs', 'bytes per topic'], ...rows]);
  measurePast(() => fill(new TopicIndex(), createTopics(SIZES[0], createRandom(1)), compile), compile, events);
}

/**
 * Measures what topics with CHANGED and WAS cost for events that changed another value. Compares the rate of an index
 * without such topics with the rate of an index that also has `SIZES[0]` of them.
 */
function measurePast(create, compile, events) {
  const more = create();
  for (let id = 0; id < SIZES[0]; id++)
    more.add(`changed ${id}`, compile(`CHANGED(${score}) AND WAS(${score}) < ${id} AND ${opportunity} != ${id}`));
  const unchanged = events.map((event) => ({
    ...event,
    valueOf: (text) => (text.startsWith('CHANGED') ? false : event.valueOf(text)),
  }));
  const rivals = new Map([
    [`${SIZES[0]} topics`, create()],
    [`and ${SIZES[0]} on CHANGED`, more],
  ]);
  const rates = measure(
    [...rivals].map(([name, index]) => ({ name, repeat: repeatOver((event) => index.match(event), unchanged) })),
    { rounds: 21 },
  );
  const [first] = rates.values();
  printTable([
    ['Events that changed another value', 'a second', 'ratio'],
    ...[...rates].map(([name, rate]) => [name, perSecond(rate), (rate / first).toFixed(2)]),
  ]);
}

/**
 * Measures the predicate index and the hand-written limit for all numbers of topics. Their rounds alternate, so that
 * the rates are comparable.
 */
function measureFast(cases, events) {
  const rivals = cases.flatMap(({ name, rivals: { index, limit } }) => [
    { name: `${name} index`, repeat: repeatOver(index, events) },
    { name: `${name} limit`, repeat: repeatOver(limit, events) },
  ]);
  return measure(rivals);
}

/** Creates topics of the same kinds as `createTopics`, but with values that no event has. */
function createElsewhere(count, firstId) {
  return createTopics(count, createRandom(3)).map((topic, index) => ({
    ...topic,
    id: firstId + index,
    ...(topic.opportunityId === undefined ? {} : { opportunityId: topic.opportunityId + OPPORTUNITIES }),
    ...(topic.stateId === undefined ? {} : { stateId: topic.stateId + STATES }),
    ...(topic.bound === undefined ? {} : { bound: topic.bound + 1000 }),
  }));
}

function fill(index, topics, compile) {
  for (const topic of topics) index.add(topic.id, compile(textOf(topic)));
  return index;
}

/** Creates an index and measures its heap in bytes per topic. */
function weigh(create) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const heap = () => {
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const index = create();
  const after = heap();
  return { index, bytes: (after - before) / index.size };
}

/** Adds all topics to an empty index and removes them. @returns microseconds for each topic, medians of three rounds */
function measureChanges(compiled, create) {
  const rounds = Array.from({ length: 3 }, () => {
    const index = create();
    const time = (work) => {
      const { user, system } = process.threadCpuUsage();
      work();
      const after = process.threadCpuUsage();
      return (after.user + after.system - user - system) / compiled.length;
    };
    const adding = time(() => {
      for (const [id, expression] of compiled) index.add(id, expression);
    });
    const removing = time(() => {
      for (const [id] of compiled) index.remove(id);
    });
    return { adding, removing };
  });
  return {
    adding: median(rounds.map(({ adding }) => adding)),
    removing: median(rounds.map(({ removing }) => removing)),
  };
}

function agree(events, rivals) {
  let matches = 0;
  for (const context of events.slice(0, 32)) {
    const answers = Object.values(rivals).map((match) =>
      match(context)
        .sort((a, b) => a - b)
        .join(),
    );
    if (new Set(answers).size > 1) throw new Error('the competitors match different topics for the same event');
    matches += answers[0] === '' ? 0 : answers[0].split(',').length;
  }
  return matches / 32;
}
