import { formatViolation, parseDatapath } from '@ats/datapath';
import { message } from '@ats/message';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAIL_MERGE_LIMITS } from './limits.js';
import { parseTemplate, placeholderViolation, type TemplatePart } from './template.js';

/** Writes a template on one line, with each placeholder as `<datapath>`. */
const shown = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : `<${part.datapath.text}>`)).join('|');

describe('a valid template', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', ''],
    ['Hello', 'Hello'],
    ['Hello {{ application.user.firstname }}!', 'Hello |<application.user.firstname>|!'],
    ['{{application.id}}{{application.id}}', '<application.id>|<application.id>'],
    ['{{\u00a0application.id\t\n}}', '<application.id>'],
    ['{{&nbsp; application.id&nbsp;&nbsp;}}', '<application.id>'],
    ['{{<br />application.id<br /> }}', '<application.id>'],
    ['a { b } {c} }} {', 'a { b } {c} }} {'],
    ['{{ application.id }}}', '<application.id>|}'],
    ['\\{{ application.id }}', '{{| application.id }}'],
    ['\\\\{{ application.id }}', '\\|<application.id>'],
    ['\\a \\', '\\a \\'],
    ['{{ application.id }}\\{{', '<application.id>|{{'],
  ];
  it.each(table)('is parsed: %j as %j', (text, parts) => {
    const template = parseTemplate(text);
    expect([shown(template.parts), template.violations]).toEqual([parts, []]);
  });

  it('has the position of each datapath, and knows whether it is in a tag', () => {
    const text = '<a href="https://example.com/{{ application.id }}">{{ application.reference }}</a>';
    const placeholders = parseTemplate(text).parts.filter((part) => part.kind === 'placeholder');
    expect(placeholders.map(({ offset, isInTag }) => [text.slice(offset, offset + 14), isInTag])).toEqual([
      ['application.id', true],
      ['application.re', false],
    ]);
  });
});

describe('an invalid template', () => {
  const table: readonly (readonly [string, readonly (readonly [string, number, number])[]])[] = [
    ['{{', [['unclosed_placeholder', 0, 2]]],
    ['a {{ application.id', [['unclosed_placeholder', 2, 2]]],
    ['{{ application.id {{ application.id }}', [['unclosed_placeholder', 0, 2]]],
    ['{{}}', [['empty_placeholder', 0, 4]]],
    ['{{ &nbsp;\u00a0 }}', [['empty_placeholder', 0, 13]]],
    ['{{<br />}}', [['empty_placeholder', 0, 10]]],
    ['{{ application.<b>user</b> }}', [['invalid_path', 15, 1]]],
    ['{{ application..id }}', [['invalid_path', 15, 1]]],
    ['{{ 1 }}', [['invalid_path', 3, 1]]],
    ['{{ application.id + 1 }}', [['unexpected_character', 17, 1]]],
    [`{{ ${'a'.repeat(5000)} }}`, [['limit_exceeded', 4099, 1]]],
    [
      '{{ }} {{ a- }} {{ application.id }} {{',
      [
        ['empty_placeholder', 0, 5],
        ['unexpected_character', 10, 1],
        ['unclosed_placeholder', 36, 2],
      ],
    ],
  ];
  it.each(table)('has a violation for every error of %j', (text, violations) => {
    expect(parseTemplate(text).violations.map(({ code, offset, length }) => [code, offset, length])).toEqual(
      violations,
    );
  });

  it('has violations with line and column', () => {
    const [violation] = parseTemplate('Dear\n{{ application.-user }}').violations;
    expect(violation && formatViolation(violation)).toBe(
      '2:16: expected a name but found "-"\n  {{ application.-user }}\n                 ^',
    );
  });

  it('keeps an invalid placeholder as text', () => {
    expect(shown(parseTemplate('a {{ }} {{ b').parts)).toBe('a |{{ }}| |{{| b');
  });

  it('can have a violation of the object model at its position in the template', () => {
    const template = parseTemplate('Hi {{ application.usr }}');
    const [, placeholder] = template.parts;
    if (placeholder?.kind !== 'placeholder') throw new Error('expected a placeholder');
    const violation = {
      code: 'unknown_name',
      message: message`no "usr"`,
      offset: 12,
      length: 3,
      line: 1,
      column: 13,
      expected: [],
      found: 'usr',
      hint: message`did you mean "user"?`,
      excerpt: '',
    } as const;
    expect(placeholderViolation(template, placeholder, violation)).toMatchObject({
      offset: 18,
      line: 1,
      column: 19,
      hint: violation.hint,
      excerpt: '  Hi {{ application.usr }}\n                    ^^^',
    });
  });
});

describe('the cost of a template', () => {
  it(`is limited to ${MAIL_MERGE_LIMITS.placeholders} placeholders`, () => {
    const most = '{{ application.id }}'.repeat(MAIL_MERGE_LIMITS.placeholders);
    expect(parseTemplate(most).violations).toEqual([]);
    expect(parseTemplate(`${most}{{ application.id }}`).violations).toMatchObject([
      { code: 'too_many_placeholders', offset: most.length },
    ]);
  });

  it('is limited for hostile text', () => {
    const since = process.cpuUsage();
    for (const piece of ['{{', '{{}}', '\\{{', '{{ ', '&nbsp;', '<br />', ' ', '{{&nbsp;', '}}'])
      parseTemplate(piece.repeat(100_000 / piece.length));
    parseTemplate(`{{ ${' '.repeat(50_000)}x${' '.repeat(50_000)}`);
    parseTemplate(`{{ x${'&nbsp;'.repeat(15_000)}x }}`);
    expect(process.cpuUsage(since).user).toBeLessThan(2_000_000); // The limit is in microseconds of processor time.
  });
});

/** Random templates of braces, spaces, names and any other characters. */
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('{{', '}}', '{', '}', '\\', ' ', '&nbsp;', '\u00a0', 'application', '.', 'id', '<b>', '\n'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

describe('any text', () => {
  it('is parsed without an exception, and its errors lie within it', () => {
    fc.assert(
      fc.property(template, (text) => {
        for (const { offset, length, message: what } of parseTemplate(text).violations) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(Math.max(text.length, offset + 1));
          expect(String(what)).not.toBe('');
        }
      }),
    );
  });

  it('has only well-formed datapaths as placeholders', () => {
    fc.assert(
      fc.property(template, (text) => {
        for (const part of parseTemplate(text).parts)
          if (part.kind === 'placeholder') expect(parseDatapath(part.datapath.text)).toEqual(part.datapath);
      }),
    );
  });
});

it('parseTemplate reads keys of the collections that the caller adds', () => {
  const collections = [{ name: 'prices', key: [{ name: 'currency' }, { name: 'tier' }] }] as const;
  const text = '{{ order.prices.EUR:2 }}';
  expect(shown(parseTemplate(text, { collections }).parts)).toBe('<order.prices.EUR:2>');
  expect(parseTemplate(text).violations.map(({ code }) => code)).toEqual(['unexpected_character']);
});

it('parseTemplate accepts another limit of placeholders from the caller', () => {
  const codes = (placeholders: number) =>
    parseTemplate('{{ a.b }}{{ a.c }}', { placeholders }).violations.map(({ code }) => code);
  expect([codes(1), codes(2)]).toEqual([['too_many_placeholders'], []]);
});
