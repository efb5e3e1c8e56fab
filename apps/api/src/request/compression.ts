import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

/**
 * Minimum length in bytes of an answer that is compressed. For a smaller one, compression saves less than one network
 * packet.
 */
const LEAST_BYTES = 1_024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

type Compress = (body: Buffer) => Promise<Buffer>;

interface Coding {
  /** Compresses an answer that is made for one request. */
  readonly fast: Compress;
  /** Compresses an answer that never changes. This takes longer, and makes the body smaller. */
  readonly small: Compress;
}

const brotli =
  (quality: number): Compress =>
  (body) =>
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    });

/** The content codings in the order of preference, for clients that accept several with the same quality. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['br', { fast: brotli(4), small: brotli(9) }],
  ['gzip', { fast: (body) => compressGzip(body, { level: 5 }), small: (body) => compressGzip(body, { level: 9 }) }],
]);

/** Adds the second argument of `encodings`, which the type declarations of the package lack. */
interface PreferringNegotiator {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}

const IDENTITY = 'identity';
const CHOICES = [...CODINGS.keys(), IDENTITY];
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|javascript|xml)\b)/;

/** Maps a body to its compressed copies by content coding. */
const copies = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

/**
 * Marks the body of an answer that never changes. It is compressed once for each content coding. The copies are freed
 * with the body.
 */
export function compressOnce(body: Buffer): Buffer {
  copies.set(body, new Map());
  return body;
}

/**
 * Chooses the content coding by `Accept-Encoding` (RFC 9110 12.5.3).
 * @param bytes  length of the body; small bodies stay uncompressed unless the client refuses that
 * @returns the name of the coding; null when the body is sent as it is, also for a client that accepts no coding at all
 */
export function chooseCoding(header: string | undefined, bytes: number): string | null {
  if (header === undefined) return null;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as Negotiator & PreferringNegotiator;
  const accepted = negotiator.encodings(CHOICES, { preferred: [...CODINGS.keys()] });
  if (bytes < LEAST_BYTES && accepted.includes(IDENTITY)) return null;
  const [coding = IDENTITY] = accepted;
  return coding === IDENTITY ? null : coding;
}

/**
 * Compresses answers. Must be called after every other hook that changes a body. The `ETag` stays the same, because it
 * identifies the representation before content coding. Source: docs/reference/resources.md, "Compression".
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const header = textOf(request.headers['accept-encoding']);
    if (header === undefined || !isCompressible(reply)) return done(null, payload);
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const name = Buffer.isBuffer(body) ? chooseCoding(header, body.length) : null;
    const coding = name === null ? undefined : CODINGS.get(name);
    if (!Buffer.isBuffer(body) || name === null || !coding) return done(null, payload);
    void reply.header('content-encoding', name).removeHeader('content-length');
    const compressed = copies.has(body) ? copyOf(body, name, coding) : coding.fast(body);
    compressed.then((smaller) => done(null, smaller), done);
  });
}

const isCompressible = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') && COMPRESSIBLE.test(String(reply.getHeader('content-type')));

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join() : header;

function copyOf(body: Buffer, name: string, coding: Coding): Promise<Buffer> {
  const known = copies.get(body);
  const copy = known?.get(name) ?? coding.small(body);
  known?.set(name, copy);
  return copy;
}
