import { describe, expect, it } from '@jest/globals';
import { createUuidV7 } from './uuid-v7.js';

describe('createUuidV7', () => {
  it('begins with the time and says its version', () => {
    expect(createUuidV7(new Date(0x0192_3456_789a))).toMatch(
      /^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('differs every time', () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 1_000 }, () => createUuidV7(now))).size).toBe(1_000);
  });
});
