import { describe, expect, test } from '@jest/globals';
import { message } from '@ats/message';
import { PATTERN_LIMITS, Patterns } from './pattern.js';

describe('the patterns of a form', () => {
  test('are rejected above the maximum number of instructions', () => {
    const patterns = new Patterns();
    expect(patterns.violation('\\d{5}(-\\d{4})?')).toBeUndefined();
    expect(patterns.violation('.{0,499}')).toBeUndefined();
    expect(String(patterns.violation('.{500}'.repeat(3)))).toContain(`the maximum is ${PATTERN_LIMITS.instructions}`);
  });

  test.each([
    ['a closing ) is missing', '('],
    ['there is one closing ) too many', 'a)'],
    ['[a has no closing ]', '[a'],
    ['z-a is not a class or range of characters', '[z-a]'],
    ['\\pX is not a class or range of characters', '\\pX'],
    ['\\q is not an escape sequence', 'a\\q'],
    ['the pattern ends in a backslash', 'a\\'],
    ['there is nothing that * could repeat', '*a'],
    ['** repeats a part that is already repeated', 'a**'],
    ['{1001} is not a number of repetitions, or is too large', 'a{1001}'],
    ['two groups have the name n', '(?P<n>a)(?P<n>b)'],
    ['(?P<n is not a valid or supported named group', '(?P<n'],
    ['(?! is not supported', '(?!a)'],
    ['the pattern is nested too deeply', `${'(?:'.repeat(1_200)}a${')*'.repeat(1_200)}`],
  ])('are rejected with the message: %s', (violation, pattern) => {
    expect(String(new Patterns().violation(pattern))).toBe(
      `expected a regular expression in the syntax of RE2: ${violation}`,
    );
  });

  test('are compared with the whole text', () => {
    const patterns = new Patterns();
    expect(patterns.violationOf('ab', 'a|ab')).toBeUndefined();
    expect(patterns.violationOf('abc', 'a|ab')).toEqual(message`expected a text that matches ${'a|ab'}`);
  });

  test('are compiled once for all texts of a request', () => {
    const patterns = new Patterns();
    const pattern = '\\pL{900}';
    // Compiling the pattern for each text would use up the time of a request after a few hundred texts.
    for (let times = 0; times < 1_000; times++) expect(String(patterns.violationOf('é', pattern))).toContain('matches');
  });

  test('stop comparing texts when the time of a request is used up', () => {
    const patterns = new Patterns();
    const [pattern, text] = ['(?:.*)*[ab].{320}[ab].{320}[ab].{320}.*', 'ab'.repeat(PATTERN_LIMITS.textLength / 2)];
    const begun = process.cpuUsage();
    const violations = Array.from({ length: 500 }, () => patterns.violationOf(text, pattern));
    const { user, system } = process.cpuUsage(begun);
    expect(violations.slice(0, 10)).toEqual(Array(10).fill(undefined));
    expect(String(violations.at(-1))).toContain('send fewer texts at once');
    expect((user + system) / 1e6).toBeLessThan(6);
  });

  test('stop compiling when the time of a request is used up', () => {
    const patterns = new Patterns();
    const begun = process.cpuUsage();
    const violations = Array.from({ length: 2_000 }, (_, index) =>
      patterns.violation(`${'(\\pL{999})?'.repeat(38)}${index}`),
    );
    const { user, system } = process.cpuUsage(begun);
    expect(String(violations.at(-1))).toContain('too long to read');
    expect((user + system) / 1e6).toBeLessThan(6);
  });
});
