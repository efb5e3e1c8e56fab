// @group split: npm test draws a tenth of the random cases
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { condition } from '../../../test/arbitraries.js';
import { syntax } from '../../../test/form-data.js';
import { COMPLETIONS, DIAGNOSTICS } from '../../../test/language-corpus.js';
import { model, service } from '../../../test/recruiting-language.js';
import { roots } from '../../../test/recruiting.js';
import { printNode } from '../syntax/print.js';
import { tokenize } from '../syntax/tokenizer.js';
import { parseExpression } from '../syntax/parser.js';
import { LIMITS } from '../syntax/limits.js';
import { apply, type TextEdit } from './diagnostics.js';
import { createLanguageService } from './language-service.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const applyAll = (text: string, edits: readonly TextEdit[]): string =>
  [...edits].sort((left, right) => right.offset - left.offset).reduce(apply, text);

describe('the completion of an expression', () => {
  it.each(COMPLETIONS.map((one) => [one.text, one] as const))(
    'completes at the mark in %s',
    (_, { text, first, all, result }) => {
      const offset = text.indexOf('|');
      const source = text.replace('|', '');
      const { from, to, items } = service.complete(source, offset);
      const texts = items.map((item) => item.text);
      if (first) expect(texts.slice(0, first.length)).toEqual(first);
      if (all) expect(texts).toEqual(all);
      if (result !== undefined) expect(source.slice(0, from) + (texts[0] ?? '') + source.slice(to)).toBe(result);
    },
  );

  it('shows the type, the label and the description of a name', () => {
    const { items } = service.complete('application.sc', 14);
    expect(items).toEqual([
      { kind: 'attribute', text: 'score', detail: 'decimal', label: 'score', description: '0 to 5' },
    ]);
    const [relation] = service.complete('application.user.Addr', 21).items;
    expect(relation).toMatchObject({ kind: 'relation', detail: 'address[]' });
    const [item] = service.complete('application.formdata.22', 23).items;
    expect(item).toMatchObject({ kind: 'key', detail: 'text[]', label: 'Item 22' });
  });

  it.each(['application.id == -', 'NOT (-', 'application.id IN {-'])(
    'suggests nothing after the minus sign in %s',
    (text) => {
      expect(service.complete(text, text.length).items).toEqual([]);
    },
  );

  it('suggests after each token what the parser accepts there', () => {
    fc.assert(
      fc.property(condition, fc.nat(), (text, at) => {
        const offset = at % (text.length + 1);
        const { from, to, items } = service.complete(text, offset);
        expect(from).toBeLessThanOrEqual(offset);
        expect(to).toBeGreaterThanOrEqual(offset);
        for (const item of items.slice(0, 20)) {
          const before = `${text.slice(0, from)}${item.text}`;
          const [violation] = service.diagnose(before);
          const isComplete = violation === undefined || violation.offset + violation.length >= before.length;
          if (!isComplete && violation.code === 'unexpected_token') throw new Error(`${before}\n${violation.excerpt}`);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('an editor of a topic whose events store former values', () => {
  const topic = createLanguageService({ ...model, hasPast: true }, roots);
  const text = 'CHANGED(application.score) AND WAS(application.scor) < 3';

  it('accepts CHANGED and WAS, and corrects names in them', () => {
    expect(service.diagnose('CHANGED(application.score)').map(({ code }) => code)).toEqual(['no_past']);
    expect(topic.diagnose('CHANGED(application.score)')).toEqual([]);
    const [violation] = topic.diagnose(text);
    const [fix] = violation ? topic.fixes(text, violation) : [];
    expect(fix && apply(text, fix.edit)).toBe('CHANGED(application.score) AND WAS(application.score) < 3');
  });

  it('completes CHANGED and WAS', () => {
    const textsAt = (before: string, from = topic) =>
      from.complete(before, before.length).items.map((item) => item.text);
    expect(textsAt('ch')).toEqual(['CHANGED(']);
    expect(textsAt('application.score > w')).toEqual(['WAS(']);
    expect(textsAt('application.score > ch')).toEqual([]);
    expect(textsAt('ch', service)).toEqual([]);
  });
});

describe('the diagnosis of an expression', () => {
  it.each(DIAGNOSTICS.map((one) => [one.text, one] as const))(
    'reports the violations of %s',
    (text, { violations, fixed }) => {
      const found = service.diagnose(text);
      expect(found.map(({ code, offset, length }) => [code, text.slice(offset, offset + length)])).toEqual(violations);
      const [first] = found;
      const [fix] = first ? service.fixes(text, first) : [];
      expect(fix && apply(text, fix.edit)).toBe(fixed);
    },
  );
});

describe('the tokens for highlighting', () => {
  it('have the positions of the tokens of the parser', () => {
    fc.assert(
      fc.property(condition, (text) => {
        const parsed = tokenize(text, syntax).slice(0, -1);
        const found = service.tokens(text);
        expect(found.map(({ offset, length }) => [offset, length])).toEqual(
          parsed.map((one) => [one.offset, one.length]),
        );
        expect(found.every((one) => one.class !== 'invalid')).toBe(true);
      }),
    );
  });

  it.each<readonly [string, readonly (readonly [string, string])[]]>([
    [
      'a = "x"',
      [
        ['a', 'path'],
        ['=', 'invalid'],
        ['"x"', 'string'],
      ],
    ],
    [
      'a == "x\\q" OR b',
      [
        ['a', 'path'],
        ['==', 'comparison'],
        ['"x\\q"', 'invalid'],
        ['OR', 'keyword'],
        ['b', 'path'],
      ],
    ],
    [
      'a == "x\n+ 1',
      [
        ['a', 'path'],
        ['==', 'comparison'],
        ['"x', 'invalid'],
        ['+', 'arithmetic'],
        ['1', 'number'],
      ],
    ],
    [
      'a..b IN {1e5}',
      [
        ['a..b', 'invalid'],
        ['IN', 'keyword'],
        ['{', 'brace'],
        ['1e5', 'invalid'],
        ['}', 'brace'],
      ],
    ],
    [
      '(😀, NULL) - DATE',
      [
        ['(', 'parenthesis'],
        ['😀', 'invalid'],
        [',', 'comma'],
        ['NULL', 'constant'],
        [')', 'parenthesis'],
        ['-', 'arithmetic'],
        ['DATE', 'function'],
      ],
    ],
  ])('of the text %j mark the wrong parts as invalid, and include the text after them', (text, expected) => {
    const found = service.tokens(text).map((one) => [text.slice(one.offset, one.offset + one.length), one.class]);
    expect(found).toEqual(expected);
  });

  it('of any text are finite in number, and do not overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let end = 0;
        for (const { offset, length } of service.tokens(text)) {
          expect(offset).toBeGreaterThanOrEqual(end);
          expect(length).toBeGreaterThan(0);
          end = offset + length;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('the tooltip', () => {
  it.each([
    ['application.score > 3', 3, 'application: application'],
    ['application.score > 3', 14, 'application.score: decimal'],
    ['application.user.Address.City == "x"', 20, 'application.user.Address: address[]'],
    ['application.user.Address.City == "x"', 26, 'application.user.Address.City: text[]'],
    ['application.formdata.22 == "x"', 22, 'application.formdata.22: text[]'],
    ['application.score IN {1}', 19, 'a IN {1, 2}'],
    ['DATE("now") > posting.created_dt', 1, 'DATE("today"), DATE("now"), DATE("2026-11-21")'],
  ])('on %s at %i shows %s', (text, offset, signature) => {
    expect(service.hover(text, offset)?.signature).toBe(signature);
  });

  it('marks the name under the pointer, and shows its values and descriptions', () => {
    const text = 'application.opportunity.state.name == "open"';
    const found = service.hover(text, text.indexOf('name'));
    expect(found).toMatchObject({ values: ['open', 'closed'] });
    expect(text.slice(found?.offset, (found?.offset ?? 0) + (found?.length ?? 0))).toBe('name');
    expect(service.hover('application.score > 3', 14)).toMatchObject({ label: 'score', description: '0 to 5' });
  });

  it.each([
    ['application.unknown > 3', 14],
    ['application.score > 3', 20],
    ['a == "x', 1],
  ])('on %s at %i is empty', (text, offset) => {
    expect(service.hover(text, offset)).toBeUndefined();
  });
});

describe('formatting an expression', () => {
  it('does not change the meaning, and does not change a formatted text', () => {
    fc.assert(
      fc.property(condition, (text) => {
        const once = service.format(text);
        expect(service.format(once)).toBe(once);
        const [before, after] = [text, once].map((source) => parseExpression(source, syntax).condition);
        expect(after && printNode(after)).toBe(before && printNode(before));
      }),
      { numRuns: runs(500) },
    );
  });

  it('breaks a long text at AND and OR', () => {
    const long = (name: string): string => `application.source == "a long text for the width of ${name}"`;
    const text = `${long('one')} and (${long('two')} or ${long('three')}) and application.score>3`;
    expect(service.format(text)).toBe(
      [long('one'), 'AND (', `  ${long('two')}`, `  OR ${long('three')}`, ')', 'AND application.score > 3'].join('\n'),
    );
  });

  it('leaves a blank text blank', () => expect(service.format('  ')).toBe(''));
});

describe('renaming in an expression', () => {
  it('replaces a datapath, also at the beginning of longer ones, but not in texts or in longer names', () => {
    const text =
      'application.user.id == "application.user" AND application.user_id > 1 AND application.user.firstname == "x"';
    const edits = service.rename(text, 'application.user', 'application.candidate.user');
    expect(applyAll(text, edits)).toBe(
      'application.candidate.user.id == "application.user" AND application.user_id > 1 AND application.candidate.user.firstname == "x"',
    );
  });

  it.each([
    ['application.score', 'expected datapath but found end of text', ''],
    ['application.score', 'expected datapath but found "AND"', 'AND'],
    ['application.score', 'expected datapath but found "application.id "', 'application.id '],
    ['application.score', 'expected datapath but found "application.id > 1"', 'application.id > 1'],
    ['application.user', 'after the key', 'application.formdata.21'],
    ['application.score', 'at most 64 characters', `application.${'x'.repeat(65)}`],
    ['application.score', 'is not an operator', 'application.not a name!'],
  ])('refuses to replace %s with the message "%s": %j', (from, message, to) => {
    const text = 'application.score > 3 AND application.user.firstname == "x"';
    expect(() => service.rename(text, from, to)).toThrow(message);
  });

  it('refuses a new datapath that makes the text too long', () => {
    const text = `application.id == 1 OR application.source == "${'x'.repeat(900)}"`.padEnd(LIMITS.textLength);
    expect(() => service.rename(text, 'application.id', 'application.score')).toThrow('4096');
  });
});

describe('a hostile text', () => {
  it('makes no function of the service throw, and costs bounded time', () => {
    const texts = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 50 }), condition);
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const offset = at % (text.length + 1);
        service.complete(text, offset);
        service.hover(text, offset);
        for (const violation of service.diagnose(text)) service.fixes(text, violation);
      }),
      { numRuns: runs(300) },
    );
    const nested = '('.repeat(LIMITS.textLength);
    expect(service.complete(nested, nested.length).items.length).toBeGreaterThan(0);
  });
});
