import { type IncomingMessage } from 'node:http';
import { message } from '@ats/message';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type OperationDescription } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { tooLarge } from './measured-content.js';

export const TUS_VERSION = '1.0.0';
/** The media type of the bytes in a `PATCH`, and in a `POST` that brings the first bytes. */
export const TUS_TYPE = 'application/offset+octet-stream';
/** The header that names the document of a finished upload. */
export const DOCUMENT_HEADER = 'upload-document';

const METADATA = 'upload-metadata';
const MAX_METADATA_LENGTH = 4_000;
/** The headers that are passed to the tus package. The package must not see other headers, such as those of proxies. */
const USED_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-offset',
  METADATA,
  'upload-concat',
  'content-type',
  'content-length',
];

/** Matches the path of the collection of uploads, and the path of one upload. */
const PATHS = /\/documents\/uploads(?:\/([^/?]+))?(?:\?|$)/;
const OVERRIDE_HEADER = 'x-http-method-override';
/** Methods that some clients and proxies cannot send. */
const OVERRIDES = ['PATCH', 'DELETE'];

/**
 * Gives a `POST` to an upload the method of its header `X-HTTP-Method-Override`, before the router reads the method.
 * Source: https://tus.io/protocols/resumable-upload, "X-HTTP-Method-Override".
 * @returns the URL of the request, unchanged
 */
export function overrideMethod(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const { method, url = '', headers } = request;
  const override = headers[OVERRIDE_HEADER];
  const isKnown = typeof override === 'string' && OVERRIDES.includes(override);
  if (method === 'POST' && isKnown && PATHS.exec(url)?.[1] !== undefined) request.method = override;
  return url;
}

/**
 * Sets `Tus-Resumable` on all answers of the protocol, also on refusals. It must be called before the hooks that refuse
 * requests.
 */
export function markUploads(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ url }, reply, done) => {
    if (PATHS.test(url)) void reply.header('tus-resumable', TUS_VERSION);
    done();
  });
}

/** Describes a route that belongs to the tus protocol. */
export const tusOperation = (
  operation: Pick<OperationDescription, 'tag' | 'action' | 'summary'>,
  status: number,
): OperationDescription => ({
  ...operation,
  protocol: 'tus',
  answer: { status, description: 'See https://tus.io/protocols/resumable-upload.' },
});

/** The headers of the answer to `OPTIONS`. Source: https://tus.io/protocols/resumable-upload, "OPTIONS". */
export const optionsOfTus = (maxBytes: number): Readonly<Record<string, string>> => ({
  'accept-patch': TUS_TYPE,
  'tus-resumable': TUS_VERSION,
  'tus-version': TUS_VERSION,
  'tus-extension': 'creation,creation-with-upload,termination,expiration',
  'tus-max-size': String(maxBytes),
});

/**
 * Returns the headers that matter to the tus protocol.
 * @throws {Problem} 412 for another version of the protocol, 415 for another media type, 400 for metadata that are too
 *   long
 */
export function usedHeaders({ method, body, raw: { headers } }: FastifyRequest): Headers {
  const used = new Headers();
  for (const name of USED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') used.set(name, value);
  }
  if (used.get('tus-resumable') !== TUS_VERSION)
    throw new Problem(412, message`The header Tus-Resumable must be ${TUS_VERSION}`, {
      headers: { 'tus-version': TUS_VERSION },
    });
  const type = used.get('content-type');
  if (type !== TUS_TYPE && (method === 'PATCH' || body !== undefined))
    throw new Problem(415, message`The request body must be sent as ${TUS_TYPE}`);
  if (Number(used.get(METADATA)?.length) > MAX_METADATA_LENGTH) throw malformed([METADATA]);
  return used;
}

export const noUpload = (): Problem => new Problem(404, message`The upload was not found`);

export const expiredUpload = (): Problem => new Problem(410, message`The upload has expired: start a new one`);

const malformed = (names: readonly string[]): Problem =>
  new Problem(400, message`The headers of the upload are missing or invalid: ${names}`);

/**
 * Returns the error for a request that the tus package refused.
 * @param error  the error that the package caught. With the status 500 it is an error of the service, and is returned
 *   as is
 * @param maxBytes  the number of bytes that the request exceeds when the status is 413
 */
export function tusProblem(status: number, error?: unknown, maxBytes = 0): unknown {
  switch (status) {
    case 409:
      return new Problem(
        409,
        message`The header Upload-Offset must be the number of bytes that are stored: read it with ${'HEAD'}`,
      );
    case 410:
      return expiredUpload();
    case 413:
      return tooLarge(maxBytes);
    default:
      return error instanceof Error ? error : malformed(['Upload-Length', 'Upload-Metadata', 'Upload-Offset']);
  }
}
