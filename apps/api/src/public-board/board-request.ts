import { type AppliedPosting } from '@ats/domain';
import { type FastifyRequest } from 'fastify';
import { addressOf } from '../limits/address.js';
import { type RequestContext } from '../request/request-context.js';
import { VERSIONS } from '../versions/versions.js';

/** The credential id of requests without a credential. No credential has this id. */
export const NO_CREDENTIAL = 0;

/** A request through a public board that writes. */
export interface BoardRequest {
  readonly code: string;
  /** The id of the posting. */
  readonly id: number;
  readonly request: FastifyRequest;
  readonly language: RequestContext['settings']['language'];
}

/** Returns the context of a write without a credential. It has no scopes. */
export const boardContext = (
  { request, language }: Pick<BoardRequest, 'request' | 'language'>,
  { recruiter_id: recruiterId }: AppliedPosting,
  baseUrl: string,
): RequestContext => ({
  requestId: request.id,
  address: addressOf(request),
  actor: { credentialId: NO_CREDENTIAL, keyId: '', userId: recruiterId, recruiterId, scopes: new Set() },
  version: VERSIONS.newest,
  compatibilityFlags: new Set(),
  settings: { baseUrl, language },
});
