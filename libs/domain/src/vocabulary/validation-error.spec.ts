import { message } from '@ats/message';
import { describe, expect, test } from '@jest/globals';
import { MAX_FAULTS, ValidationError } from './validation-error.js';

const faults = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/items/${index}`, code: 'invalid' }));

describe('a ValidationError', () => {
  test('carries every violation', () => {
    expect(new ValidationError('forms', faults(MAX_FAULTS)).faults).toEqual(faults(MAX_FAULTS));
  });

  test('carries at most MAX_FAULTS violations and the number of the others', () => {
    const error = new ValidationError('forms', faults(MAX_FAULTS + 3));
    expect(error.faults).toEqual([
      ...faults(MAX_FAULTS),
      {
        path: '',
        code: 'invalid',
        info: message`more errors are not listed (at least ${3}): correct the listed ones first`,
      },
    ]);
    expect(error.message).not.toContain(`/items/${MAX_FAULTS}`);
  });
});
