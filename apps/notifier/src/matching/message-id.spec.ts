import { describe, expect, it } from '@jest/globals';
import { v7 as createUuidV7 } from 'uuid';

describe('the id of a message', () => {
  it('begins with the time and has the version of its UUID format', () => {
    expect(createUuidV7({ msecs: 0x0192_3456_789a })).toMatch(
      /^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('is different for each message', () => {
    const now = Date.now();
    expect(new Set(Array.from({ length: 1_000 }, () => createUuidV7({ msecs: now }))).size).toBe(1_000);
  });
});
