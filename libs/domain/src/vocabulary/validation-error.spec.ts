import { message } from '@ats/message';
import { describe, expect, test } from '@jest/globals';
import { MAX_FAULTS, ValidationError } from './validation-error.js';

const faults = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/items/${index}`, code: 'invalid' }));

describe('a ValidationError', () => {
  test('tells every fault', () => {
    expect(new ValidationError('forms', faults(MAX_FAULTS)).faults).toEqual(faults(MAX_FAULTS));
  });

  test('tells the first of very many, and how many more there are', () => {
    const error = new ValidationError('forms', faults(MAX_FAULTS + 3));
    expect(error.faults).toEqual([
      ...faults(MAX_FAULTS),
      {
        path: '',
        code: 'invalid',
        info: message`there are more faults, at least ${3}: mend those that are listed first`,
      },
    ]);
    expect(error.message).not.toContain(`/items/${MAX_FAULTS}`);
  });
});
