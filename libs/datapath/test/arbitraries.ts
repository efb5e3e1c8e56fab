import fc from 'fast-check';
import { FAILS, type Values } from './recruiting.js';

/**
 * This file generates valid expressions. They use only few datapaths and values, so that generated values often match
 * generated conditions.
 */

/** Operands of one type, the literals and operators for conditions on them, and values that an object may have. */
interface Kind {
  readonly paths: readonly string[];
  readonly literals: readonly string[];
  readonly values: readonly unknown[];
  readonly operators: readonly string[];
}

const order = ['==', '!=', '<', '<=', '>', '>='];

const kinds: readonly Kind[] = [
  {
    paths: [
      'application.id',
      'application.score',
      'WAS(application.score)',
      'WAS(application.user.Address.floor)',
      'application.opportunity_id',
      'application.user.Address.floor',
      'application.id + 1',
      'application.user.Address.floor - 1',
    ],
    literals: ['0', '1', '2', '-1', '1.5', '1 + 1'],
    values: [0, 1, 2, 3, -1, 1.5, NaN, '1'],
    operators: order,
  },
  {
    paths: [
      'application.source',
      'WAS(application.source)',
      'WAS(application.tags)',
      'application.user.lastname',
      'application.tags',
      'application.formdata.21:2',
      'application.motivation',
      'application.user.Address.City',
    ],
    literals: ['"a"', '"b"', '"A"', '"ab"'],
    values: ['a', 'b', 'A', 'ab', '', 1],
    operators: [...order, '=~', '!~'],
  },
  {
    paths: [
      'application.is_internal',
      'CHANGED(application.score)',
      'CHANGED(application.tags)',
      '(application.id == 1)',
    ],
    literals: ['true', 'false'],
    values: [true, false, 'true'],
    operators: ['==', '!='],
  },
  {
    paths: [
      'posting.closing_date',
      'posting.opening_date',
      'posting.closing_dt',
      'application.user.Address.since_dt',
      'posting.closing_date + DTDURATION(1,0,0,0)',
    ],
    literals: [
      'DATE("today")',
      'DATE("now")',
      'DATE("today") - DTDURATION(1,0,0,0)',
      'DATE("today") + DTDURATION(0,9,0,0)',
      'DATE("now") - DTDURATION(0,1,0,0)',
      'DATE("now") - DTDURATION(1,0,0,0)',
      'DATE("2026-11-21")',
      '"2026-11-20"',
      'DATE("2026-11-21T09:30:00Z")',
    ],
    values: [
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
      '2026-11-21T09:30:00Z',
      '2026-11-20T23:30:00Z',
      new Date('2026-11-21T08:30:00Z'),
      'soon',
    ],
    operators: order,
  },
];

const comparison: fc.Arbitrary<string> = fc.constantFrom(...kinds).chain(({ paths, literals, operators }) => {
  const path = fc.constantFrom(...paths);
  const side = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...literals) }, { weight: 1, arbitrary: path });
  const operator = fc.constantFrom(...operators);
  const items = fc.array(fc.constantFrom(...literals.filter((text) => !/ [+-] /.test(text)), 'null'), {
    minLength: 1,
    maxLength: 3,
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(path, operator, side).map((parts) => parts.join(' ')) },
    { weight: 1, arbitrary: fc.tuple(side, operator, path).map((parts) => parts.join(' ')) },
    { weight: 1, arbitrary: fc.tuple(path, fc.constantFrom('== null', '!= null')).map((parts) => parts.join(' ')) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(path, fc.constantFrom('IN', 'NOT IN'), items)
        .map(([left, word, list]) => `${left} ${word} (${list.join(', ')})`),
    },
  );
});

/** Generates conditions with correct types. Deep conditions are rarer than flat ones. */
export const condition: fc.Arbitrary<string> = fc.letrec<{ node: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    { weight: 9, arbitrary: comparison },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'application.is_internal', 'CHANGED(application.score)') },
  ),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}) AND (${right})`),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}) OR (${right})`),
    fc.tuple(tie('leaf'), tie('leaf'), tie('leaf')).map((leaves) => leaves.join(' AND ')),
    tie('node').map((inner) => `NOT (${inner})`),
    fc
      .tuple(tie('node'), fc.constantFrom('==', '!='), tie('node'))
      .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
  ),
})).node;

const many = new Set([
  'application.tags',
  'WAS(application.tags)',
  'WAS(application.user.Address.floor)',
  'application.user.Address.floor',
  'application.user.Address.City',
  'application.user.Address.since_dt',
]);
const plainPaths = kinds.map(({ paths, values }) => ({
  paths: paths.filter((path) => /^(WAS|CHANGED)\(|^[\w.:]+$/.test(path)),
  values,
}));

/**
 * Generates values for all datapaths of the conditions: valid, missing, of a wrong type and, on request, unreadable.
 */
export function values({ withFailures = false } = {}): fc.Arbitrary<Values> {
  const record: Record<string, fc.Arbitrary<unknown>> = {};
  for (const { paths, values: fitting } of plainPaths) {
    const scalar = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...fitting) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    for (const path of paths) {
      const value = many.has(path) ? fc.array(scalar, { maxLength: 3 }) : scalar;
      const failing = { weight: 1, arbitrary: fc.constant(FAILS) };
      record[path] = withFailures ? fc.oneof({ weight: 5, arbitrary: value }, failing) : value;
    }
  }
  return fc.record(record);
}
