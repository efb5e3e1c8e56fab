import { describe, expect, test } from '@jest/globals';
import { challengeRequirements, challengeVariables } from './challenge-variables.js';

const ALL = {
  BOARD_CHALLENGE_URL: 'https://challenges.example.com/siteverify',
  BOARD_CHALLENGE_SECRET: 'secret',
  BOARD_CHALLENGE_SITE_KEY: 'key',
};

/** Returns the names of the variables that are missing. */
const missingOf = (environment: Partial<typeof ALL>): readonly string[] =>
  challengeRequirements.flatMap(({ variable, violation }) => (violation(environment) === null ? [] : [variable]));

describe('the variables of the challenge service', () => {
  test('are set together, or not at all', () => {
    expect(missingOf({})).toEqual([]);
    expect(missingOf(ALL)).toEqual([]);
  });

  test.each(Object.entries(ALL))(
    'are refused when only %s is set, and the error names the missing ones',
    (name, value) => {
      expect(missingOf({ [name]: value })).toEqual(Object.keys(ALL).filter((other) => other !== name));
    },
  );

  test.each([
    ['https://challenges.example.com/siteverify', true],
    ['https://user:secret@challenges.example.com/siteverify', false],
    ['ftp://challenges.example.com/siteverify', false],
    ['challenges.example.com', false],
  ])('accept the address %s: %s', (address, isAllowed) => {
    expect(challengeVariables.BOARD_CHALLENGE_URL.schema.safeParse(address).success).toBe(isAllowed);
  });
});
