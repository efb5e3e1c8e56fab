import { type Requirement, schemas, variable } from '@ats/configuration';
import { word } from './document-variables.js';

/** The URL of a service that gets no user and password, because the secret is in the body of the request. */
const serviceUrl = schemas.readBy((text) => {
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? text : null;
}, 'must be a URL without user and password that starts with https:// or http://');

/** The variables of the challenge service. Source: docs/reference/public-board.md, "Proofs of a challenge service". */
export const challengeVariables = {
  BOARD_CHALLENGE_URL: variable({
    schema: serviceUrl,
    description:
      'The address at which a challenge service verifies proofs (`siteverify`, as in hCaptcha, reCAPTCHA and ' +
      'Turnstile). Each application through a public board then needs a proof.',
    whenAbsent: 'applications need no proof',
    example: 'https://challenges.example.com/siteverify',
  }),
  BOARD_CHALLENGE_SECRET: variable({
    schema: word,
    description: 'The secret with which the API asks the challenge service.',
    whenAbsent: 'see `BOARD_CHALLENGE_URL`',
    isSecret: true,
  }),
  BOARD_CHALLENGE_SITE_KEY: variable({
    schema: word,
    description: 'The public key that careers pages give to the challenge service. Application forms name it.',
    whenAbsent: 'see `BOARD_CHALLENGE_URL`',
    example: 'site-key-of-the-careers-page',
  }),
} as const;

type Name = keyof typeof challengeVariables;

const NAMES: readonly Name[] = ['BOARD_CHALLENGE_URL', 'BOARD_CHALLENGE_SECRET', 'BOARD_CHALLENGE_SITE_KEY'];

/** Requires all variables of the challenge service when one of them is set. */
export const challengeRequirements: readonly Requirement<typeof challengeVariables>[] = NAMES.map((name) => ({
  variable: name,
  with: NAMES.filter((other) => other !== name),
  violation: (values) => {
    const set = NAMES.find((other) => values[other] !== undefined);
    return set !== undefined && values[name] === undefined ? `must be set, because ${set} is set` : null;
  },
}));
