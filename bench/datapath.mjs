import { parse as parseCel } from '@marcbachmann/cel-js';
import jexl from 'jexl';
import { LogicEngine } from 'json-logic-engine';
import subscript from 'subscript/justin';
import { loopOver, measure, perSecond, printTable } from './measure.mjs';

export const projects = ['@ats/datapath'];

const SUBJECTS = 64;
const now = new Date('2026-11-21T09:30:00.000Z');

/** Describes an attribute of the object model below. */
const text = (type, many) => ({ type, ...(many ? { many } : {}) });
const shapes = new Map(
  [
    {
      name: 'application',
      attributes: {
        id: text('integer'),
        opportunity_id: text('integer'),
        score: text('decimal'),
        source: text('text'),
        is_internal: text('boolean'),
        created_dt: text('datetime'),
      },
      relations: { user: { target: 'user' }, main_process_state: { target: 'process_state' } },
    },
    {
      name: 'user',
      attributes: {
        id: text('integer'),
        firstname: text('text'),
        lastname: text('text'),
        city: text('text'),
        age: text('integer'),
      },
      relations: {},
    },
    { name: 'process_state', attributes: { id: text('integer') }, relations: { state: { target: 'state' } } },
    { name: 'state', attributes: { id: text('integer'), name: text('text') }, relations: {} },
  ].map((shape) => [shape.name, shape]),
);
const model = { type: (name) => shapes.get(name) };

/**
 * The hand-written functions must handle missing relations as datapaths do: a path across a missing relation is null.
 */
const cases = [
  {
    name: 'E1',
    ours: 'application.opportunity_id == 42',
    byHand: ({ application }) => application.opportunity_id === 42,
    byHandOnFacts: (context) => context.valueOf('application.opportunity_id') === 42,
  },
  {
    name: 'E2',
    ours: 'application.opportunity_id == 42 AND application.main_process_state.state.id == 3 AND application.user.firstname == "Ada"',
    byHand: ({ application }) =>
      application.opportunity_id === 42 &&
      application.main_process_state?.state?.id === 3 &&
      application.user?.firstname === 'Ada',
    byHandOnFacts: (context) =>
      context.valueOf('application.opportunity_id') === 42 &&
      context.valueOf('application.main_process_state.state.id') === 3 &&
      context.valueOf('application.user.firstname') === 'Ada',
  },
  {
    name: 'E3',
    ours:
      'application.opportunity_id == 42 AND (application.main_process_state.state.id == 5 OR application.main_process_state.state.id == 3) ' +
      'AND application.score >= 3.5 AND application.user.age < 60 AND application.user.lastname != "Miller" ' +
      'AND (application.source == "agency" OR application.is_internal == true OR application.user.city == "Graz")',
    byHand: ({ application }) =>
      application.opportunity_id === 42 &&
      (application.main_process_state?.state?.id === 5 || application.main_process_state?.state?.id === 3) &&
      application.score >= 3.5 &&
      application.user?.age < 60 &&
      application.user?.lastname !== 'Miller' &&
      (application.source === 'agency' || application.is_internal === true || application.user?.city === 'Graz'),
    byHandOnFacts: (context) =>
      context.valueOf('application.opportunity_id') === 42 &&
      (context.valueOf('application.main_process_state.state.id') === 5 ||
        context.valueOf('application.main_process_state.state.id') === 3) &&
      context.valueOf('application.score') >= 3.5 &&
      context.valueOf('application.user.age') < 60 &&
      context.valueOf('application.user.lastname') !== 'Miller' &&
      (context.valueOf('application.source') === 'agency' ||
        context.valueOf('application.is_internal') === true ||
        context.valueOf('application.user.city') === 'Graz'),
  },
];

/**
 * Creates a subject. Subjects with an even index meet all conditions of the expressions. Each other subject fails one
 * condition.
 */
function createSubject(index) {
  const fails = index % 2 === 0 ? -1 : (index >> 1) % 6;
  return {
    application: {
      id: 1000 + index,
      opportunity_id: fails === 0 ? 7 : 42,
      score: fails === 1 ? 2.5 : 4 + (index % 4) / 4,
      source: index % 3 === 0 ? 'agency' : 'website',
      is_internal: index % 3 === 1,
      created_dt: '2026-11-20T10:00:00.000Z',
      user: {
        id: index,
        firstname: fails === 2 ? 'Eve' : 'Ada',
        lastname: fails === 3 ? 'Miller' : `Name${index}`,
        city: index % 3 === 2 && fails !== 4 ? 'Graz' : 'Linz',
        age: fails === 5 ? 61 : 20 + (index % 30),
      },
      main_process_state: { id: index, state: { id: index % 4 < 2 ? 3 : 5, name: 'interview' } },
    },
  };
}

/** Creates the usual input of an evaluation: values of datapaths that were read before and stored as JSON. */
function toContext(subject, datapaths) {
  const values = datapaths.map((datapath) => [
    datapath,
    datapath.split('.').reduce((value, name) => value[name], subject),
  ]);
  const facts = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(values)))));
  return { valueOf: (datapath) => facts.get(datapath), now, timeZone: 'UTC' };
}

const toC = (expression) => expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ');

function toJsonLogic(node) {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { [node.kind]: node.operands.map(toJsonLogic) };
    case 'comparison': {
      const operator = { '==': '===', '!=': '!==' }[node.operator] ?? node.operator;
      return { [operator]: [toJsonLogic(node.left), toJsonLogic(node.right)] };
    }
    case 'path':
      return { var: node.path.text };
    default:
      return node.value;
  }
}

export async function run() {
  const datapath = await import('../libs/datapath/dist/index.js');
  const { parseExpression, checkExpression, compileExpression, DatapathTable } = datapath;
  const engine = new LogicEngine();
  const evaluations = new Map();
  const preparations = new Map();
  for (const { name, ours, byHand, byHandOnFacts } of cases) {
    const prepare = (expression) =>
      compileExpression(checkExpression(parseExpression(expression), model, ['application']));
    const compiled = prepare(ours);
    const table = new DatapathTable();
    const shared = compileExpression(compiled.checked, table);
    const subjects = Array.from({ length: SUBJECTS }, (_, index) => createSubject(index));
    const contexts = subjects.map((subject) => toContext(subject, compiled.datapaths));
    const opened = contexts.map((context) => table.open(context));
    const cel = parseCel(toC(ours));
    const celSubjects = subjects.map((subject) => ({ application: withBigInts(subject.application) }));
    const logic = toJsonLogic(parseExpression(ours).condition);
    const rivals = [
      ['by hand, on objects (limit)', byHand, subjects],
      ['by hand, through valueOf (limit)', byHandOnFacts, contexts],
      ['datapath, values read once', (context) => shared.evaluateOpened(context), opened],
      ['datapath, through valueOf', (context) => compiled.test(context), contexts],
      ['json-logic-engine (generates code)', engine.build(logic), subjects],
      ['subscript', subscript(toC(ours)), subjects],
      ['@marcbachmann/cel-js', cel, celSubjects],
      [
        'jexl',
        (
          (expression) => (subject) =>
            expression.evalSync(subject)
        )(jexl.compile(toC(ours))),
        subjects,
      ],
    ].map(([rival, test, over]) => ({ name: rival, repeat: loopOver(test, over) }));
    agree(name, rivals);
    evaluations.set(name, measure(rivals));
    preparations.set(name, measure(preparationRivals({ prepare, ours, logic, engine })));
  }
  report('Evaluations per second', evaluations, perSecond);
  report('Parse, check and compile, in µs', preparations, (rate) => (1e6 / rate).toFixed(2));
}

/** Converts integers to BigInt, because CEL distinguishes integers from decimals and represents integers as BigInt. */
function withBigInts(value) {
  if (Number.isInteger(value)) return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'score' ? inner : withBigInts(inner)]),
  );
}

function preparationRivals({ prepare, ours, logic, engine }) {
  const expression = toC(ours);
  const repeat = (work) => (count) => {
    for (let index = 0; index < count; index++) work();
  };
  return [
    { name: 'datapath', repeat: repeat(() => prepare(ours)) },
    { name: 'json-logic-engine (generates code)', repeat: repeat(() => engine.build(logic)) },
    { name: 'subscript', repeat: repeat(() => subscript(expression)) },
    { name: '@marcbachmann/cel-js', repeat: repeat(() => parseCel(expression)) },
    { name: 'jexl', repeat: repeat(() => jexl.compile(expression)) },
  ];
}

function agree(name, rivals) {
  const answers = rivals.map(({ name: rival, repeat }) => `${rival}: ${repeat(SUBJECTS)}`);
  if (new Set(answers.map((answer) => answer.split(': ')[1])).size > 1)
    throw new Error(`${name}: ${answers.join(', ')}`);
  console.log(`${name}: all competitors agree, the expression holds for ${answers[0].split(': ')[1]} of ${SUBJECTS}`);
}

function report(title, results, format) {
  const names = [...results.values().next().value.keys()];
  const limit = names.find((name) => name.includes('limit'));
  const head = [title, ...results.keys(), ...(limit ? [...results.keys()].map((name) => `${name} / limit`) : [])];
  const rows = names.map((name) => [
    name,
    ...[...results.values()].map((rates) => format(rates.get(name))),
    ...(limit ? [...results.values()].map((rates) => (rates.get(name) / rates.get(limit)).toFixed(2)) : []),
  ]);
  console.log();
  printTable([head, ...rows]);
}
