import { expect, it } from '@jest/globals';
import { ApiError } from '@ats/client';
import { hintFor } from './hints.js';

const refused = (status: number): ApiError => new ApiError(new Response(null, { status }), { message: 'refused' });
const environment = { url: undefined, configFolder: '/nowhere' };

it.each([
  [undefined, 'The token is unknown, expired or revoked. Run `ats login` with another one.'],
  ['x', 'The token in ATS_TOKEN is unknown, expired or revoked. Set another one.'],
])('the hint for status 401 with ATS_TOKEN=%s says where another token belongs', async (token, hint) => {
  expect(await hintFor(refused(401), { ...environment, token })).toBe(hint);
});

it.each([refused(403), new Error('broken')])('%s gets no hint', async (error) => {
  expect(await hintFor(error, { ...environment, token: 'x' })).toBeUndefined();
});
