import { message } from '@ats/message';
import { describe, expect, test } from '@jest/globals';
import { MAX_VIOLATIONS, ValidationError } from './validation-error.js';

const violations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/items/${index}`, code: 'invalid' as const }));

describe('a ValidationError', () => {
  test('carries every violation', () => {
    expect(new ValidationError('forms', violations(MAX_VIOLATIONS)).violations).toEqual(violations(MAX_VIOLATIONS));
  });

  test('carries at most MAX_VIOLATIONS violations and the number of the others', () => {
    const error = new ValidationError('forms', violations(MAX_VIOLATIONS + 3));
    expect(error.violations).toEqual([
      ...violations(MAX_VIOLATIONS),
      {
        path: '',
        code: 'invalid',
        info: message`more errors are not listed (at least ${3}): correct the listed ones first`,
      },
    ]);
    expect(error.message).not.toContain(`/items/${MAX_VIOLATIONS}`);
  });
});
