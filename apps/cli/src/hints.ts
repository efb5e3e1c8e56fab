import { ApiError } from '@ats/client';
import { type Environment } from './config/env.js';
import { resourceHint } from './resources.js';

const UNAUTHENTICATED = 401;

/** Returns what the user can do about an error. Undefined when nobody knows. */
export async function hintFor(error: unknown, { token }: Environment): Promise<string | undefined> {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status !== UNAUTHENTICATED) return resourceHint(error);
  const refused = token === undefined ? 'The token' : 'The token in ATS_TOKEN';
  const remedy = token === undefined ? 'Run `ats login` with another one.' : 'Set another one.';
  return `${refused} is unknown, expired or revoked. ${remedy}`;
}
