import { describe, expect, test } from '@jest/globals';
import { PATTERN_LIMITS, Patterns } from './pattern.js';

describe('patterns', () => {
  test('are of a size that is judged', () => {
    const patterns = new Patterns();
    expect(patterns.fault('\\d{5}(-\\d{4})?')).toBeUndefined();
    expect(patterns.fault('.{0,499}')).toBeUndefined();
    expect(patterns.fault('.{500}'.repeat(3))).toContain(`${PATTERN_LIMITS.instructions} is the most`);
    expect(patterns.fault('(')).toContain('in the syntax of RE2');
  });

  test('match whole texts', () => {
    const patterns = new Patterns();
    expect(patterns.faultOf('ab', 'a|ab')).toBeUndefined();
    expect(patterns.faultOf('abc', 'a|ab')).toBe('expected a text that matches a|ab');
  });

  test('are compiled once', () => {
    const patterns = new Patterns();
    const pattern = '\\pL{900}';
    // Compiled each time, it would take the time of a request after a few hundred texts.
    for (let times = 0; times < 1_000; times++) expect(patterns.faultOf('é', pattern)).toContain('matches');
  });

  test('take the time of a request and no more', () => {
    const patterns = new Patterns();
    const [pattern, text] = ['(?:.*)*[ab].{320}[ab].{320}[ab].{320}.*', 'ab'.repeat(PATTERN_LIMITS.textLength / 2)];
    const begun = process.cpuUsage();
    const faults = Array.from({ length: 500 }, () => patterns.faultOf(text, pattern));
    const { user, system } = process.cpuUsage(begun);
    expect(faults.slice(0, 10)).toEqual(Array(10).fill(undefined));
    expect(faults.at(-1)).toContain('send fewer at once');
    expect((user + system) / 1e6).toBeLessThan(6);
  });

  test('take no longer to be read than to be used', () => {
    const patterns = new Patterns();
    const begun = process.cpuUsage();
    const faults = Array.from({ length: 2_000 }, (_, index) => patterns.fault(`${'(\\pL{999})?'.repeat(38)}${index}`));
    const { user, system } = process.cpuUsage(begun);
    expect(faults.at(-1)).toContain('too long to read');
    expect((user + system) / 1e6).toBeLessThan(6);
  });
});
