// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { condition, values } from '../../test/arbitraries.js';
import { printExpression } from '../../test/print-expression.js';
import { compile, contextOf, model, NOW, roots } from '../../test/recruiting.js';
import { checkExpression } from './checking/check.js';
import { parseDatapath } from './syntax/datapath.js';
import { datapathsOf } from './syntax/datapaths-of.js';
import { DatapathError, formatViolation } from './syntax/errors.js';
import { explainExpression } from './running/explain.js';
import { parseExpression } from './syntax/parser.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const zones = fc.constantFrom('UTC', 'Europe/Vienna', 'Pacific/Auckland', 'Pacific/Honolulu');

/** Returns the tree of a parsed text without the positions of its nodes. */
const shapeOf = (text: string): unknown =>
  JSON.parse(
    JSON.stringify(parseExpression(text, model).condition, (key, value: unknown) =>
      ['offset', 'length'].includes(key) ? undefined : value,
    ),
  );

describe('printing an expression', () => {
  test('and parsing the text gives the same tree', () => {
    fc.assert(
      fc.property(condition, (text) => {
        const canonical = printExpression(parseExpression(text, model));
        expect(shapeOf(canonical)).toEqual(shapeOf(text));
        expect(printExpression(parseExpression(canonical, model))).toBe(canonical);
      }),
      { numRuns: runs(500) },
    );
  });

  test('keeps every string and every number', () => {
    const literal = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text).replace(/\\[bf]/g, 'x')),
      fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER, noNaN: true }).map((value) => value.toFixed(20).slice(0, 100)),
      fc.maxSafeInteger().map(String),
    );
    fc.assert(
      fc.property(literal, (text) => {
        const expression = `a == ${text}`;
        expect(shapeOf(printExpression(parseExpression(expression, model)))).toEqual(shapeOf(expression));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the evaluation of an expression', () => {
  test('gives the same result when the expression is compiled and when it is explained part by part', () => {
    fc.assert(
      fc.property(condition, values({ withFailures: true }), zones, (text, given, timeZone) => {
        const compiled = compile(text);
        const context = contextOf(given, { timeZone });
        const { result } = explainExpression(compiled.checked, context);
        expect(compiled.evaluate(context) ?? null).toBe(result);
        expect(compiled.test(context)).toBe(result === true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('does not depend on unreadable values when other values decide the result', () => {
    fc.assert(
      fc.property(condition, values({ withFailures: true }), values(), (text, given, instead) => {
        const compiled = compile(text);
        const result = compiled.evaluate(contextOf(given));
        const repaired = Object.fromEntries(
          Object.entries(given).map(([path, value]) => [path, typeof value === 'symbol' ? instead[path] : value]),
        );
        if (result !== undefined) expect(compiled.evaluate(contextOf(repaired))).toBe(result);
      }),
      { numRuns: runs(500) },
    );
  });

  test('never throws, for any values', () => {
    const hostile = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }),
      fc.constant(
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('no');
            },
          },
        ),
      ),
    );
    fc.assert(
      fc.property(condition, fc.array(hostile, { minLength: 1, maxLength: 8 }), (text, given) => {
        const compiled = compile(text);
        let next = 0;
        const context = { valueOf: () => given[next++ % given.length], now: NOW, timeZone: 'UTC' };
        expect(typeof compiled.test(context)).toBe('boolean');
        expect(() => explainExpression(compiled.checked, context)).not.toThrow();
      }),
      { numRuns: runs(500) },
    );
  });

  test('reads exactly the datapaths of the expression', () => {
    fc.assert(
      fc.property(condition, values(), (text, given) => {
        const compiled = compile(text);
        const asked = new Set<string>();
        compiled.test({ ...contextOf(given), valueOf: (path) => (asked.add(path), given[path]) });
        expect(datapathsOf(parseExpression(text, model))).toEqual(compiled.datapaths);
        expect(compiled.datapaths).toEqual(expect.arrayContaining([...asked]));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('laws of the expression language', () => {
  const same = (left: string, right: string, given: Readonly<Record<string, unknown>>): void => {
    expect([left, compile(left).evaluate(contextOf(given))]).toEqual([left, compile(right).evaluate(contextOf(given))]);
  };
  const operands = fc.tuple(
    fc.constantFrom('application.id', 'application.score', 'application.user.Address.floor', '1'),
    fc.constantFrom('application.id', 'application.score', 'application.user.Address.floor', '1', 'null'),
  );
  const texts = fc.tuple(
    fc.constantFrom('application.source', 'application.tags'),
    fc.constantFrom('application.user.lastname', '"a"'),
  );
  const anyValues = values({ withFailures: true });

  test('a != b is NOT (a == b)', () => {
    fc.assert(fc.property(operands, anyValues, ([a, b], given) => same(`${a} != ${b}`, `NOT (${a} == ${b})`, given)));
  });
  test('a !~ b is NOT (a =~ b)', () => {
    fc.assert(fc.property(texts, anyValues, ([a, b], given) => same(`${a} !~ ${b}`, `NOT (${a} =~ ${b})`, given)));
  });
  test('a NOT IN {b} is NOT (a IN {b}), and a IN {b} is a == b', () => {
    fc.assert(
      fc.property(operands, fc.constantFrom('1', '2', 'null'), anyValues, ([a], b, given) => {
        same(`${a} NOT IN {${b}}`, `NOT (${a} IN {${b}})`, given);
        same(`${a} IN {${b}}`, `${a} == ${b}`, given);
      }),
    );
  });
  test('De Morgan: NOT (a AND b) is NOT a OR NOT b', () => {
    fc.assert(
      fc.property(condition, condition, anyValues, (a, b, given) => {
        same(`NOT ((${a}) AND (${b}))`, `NOT (${a}) OR NOT (${b})`, given);
        same(`NOT ((${a}) OR (${b}))`, `NOT (${a}) AND NOT (${b})`, given);
      }),
    );
  });
  test('a < b is b > a, and a <= b is b >= a', () => {
    fc.assert(
      fc.property(operands, anyValues, ([a, b], given) => {
        fc.pre(b !== 'null');
        same(`${a} < ${b}`, `${b} > ${a}`, given);
        same(`${a} <= ${b}`, `${b} >= ${a}`, given);
      }),
    );
  });
});

describe('any text', () => {
  const token = fc.constantFrom(
    ...'( ) { } , + - == != < <= > >= =~ !~ = ! && || AND OR NOT IN TRUE null DATE DTDURATION "today" "x" \'y\' 1 2.5 . [ \\ " ä'.split(
      ' ',
    ),
    'application.id',
    'application.user.Address.City',
    'posting.closing_date',
    'application.formdata.21:2:1',
    'application.__proto__.constructor',
    'DATE("today")',
    'DTDURATION(1,0,0,0)',
    '\n',
    '(((((((((((((((((((((((((((((((((',
    'NOT NOT NOT NOT NOT NOT NOT NOT NOT',
  );
  const parseOrReject = (text: string): void => {
    try {
      const compiled = checkExpression(parseExpression(text, model), model, roots);
      printExpression(compiled.expression);
    } catch (error) {
      if (!(error instanceof DatapathError)) throw error;
      for (const violation of error.violations) {
        const { offset, line, column, excerpt } = violation;
        expect(formatViolation(violation)).toContain(`${line}:${column}: `);
        expect(offset >= 0 && offset <= text.length && line >= 1 && column >= 1 && excerpt.includes('^')).toBe(true);
      }
    }
  };

  test('made of tokens is parsed, or rejected with a position', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), fc.constantFrom('', ' '), (tokens, blank) =>
        parseOrReject(tokens.join(blank)),
      ),
      { numRuns: runs(3_000) },
    );
  });

  test('made by changing an expression is parsed, or rejected with a position', () => {
    const change = fc.tuple(fc.nat(), fc.nat(3), fc.oneof(token, fc.string({ unit: 'binary', maxLength: 2 })));
    fc.assert(
      fc.property(condition, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        parseOrReject(
          changes.reduce(
            (changed, [at, count, insert]) =>
              changed.slice(0, at % (changed.length + 1)) + insert + changed.slice((at % (changed.length + 1)) + count),
            text,
          ),
        );
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('made of random characters is parsed, or rejected with a position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        parseOrReject(text);
        try {
          parseDatapath(text, model);
        } catch (error) {
          expect(error).toBeInstanceOf(DatapathError);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('is parsed in bounded time', () => {
    const texts = [
      '(',
      'NOT ',
      'a.',
      'a AND ',
      '1+',
      '"\\',
      '-',
      'a IN (1,',
      '((a)==',
      'DATE("',
      '{',
      ' ',
      'a==a OR ',
      'DTDURATION(1,',
    ].map((part) => part.repeat(4096).slice(0, 4096));
    const since = process.cpuUsage();
    for (const text of texts) parseOrReject(text);
    expect(process.cpuUsage(since).user).toBeLessThan(2_000_000); // The limit is in microseconds of processor time.
  });
});
