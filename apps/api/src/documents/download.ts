import contentDisposition from 'content-disposition';
import { type ViolationCode } from '@ats/domain';
import { message } from '@ats/message';
import { Logger } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { matchesTag } from '../request/answer.js';
import { Problem } from '../vocabulary/problem.js';
import { byteRangeOf, UNSATISFIABLE } from './byte-range.js';
import { type ByteRange, type DocumentStore, StoreError } from './document-store.js';
import { reasonOf } from './reason.js';

/** The columns of a document that a download needs. */
export interface DownloadedDocument {
  readonly id: number;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly scan: string;
  readonly storage_key: string;
}

const log = new Logger('documents');

/**
 * Refuses a document that may be dangerous.
 * @throws {Problem} 409 while the scan is pending, and for an infected document
 */
export function refuseUnsafe({ scan }: Pick<DownloadedDocument, 'scan'>): void {
  if (scan === 'pending') throw unsafe('scan_pending', message`The document is being scanned: try again later`);
  if (scan === 'infected') throw unsafe('infected', message`The document is infected and cannot be downloaded`);
}

const unsafe = (code: ViolationCode, text: ReturnType<typeof message>): Problem =>
  new Problem(409, text, { errors: [{ resource: 'documents', path: '/scan', code }] });

/**
 * Sends the bytes of a document, or the one part that `Range` names (RFC 9110 14). The browser saves them as a file,
 * and never shows them as a page of the service.
 */
export async function sendDocument(
  reply: FastifyReply,
  document: DownloadedDocument,
  store: DocumentStore,
): Promise<void> {
  const etag = `"${document.sha256.slice(0, 32)}"`;
  const { size } = document;
  const range = rangeOf(reply, etag, size);
  void reply.headers({ 'accept-ranges': 'bytes', etag });
  if (range === UNSATISFIABLE)
    throw new Problem(416, message`The document has ${size} bytes: the requested range is outside of them`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  const known = reply.request.headers['if-none-match'];
  if (known !== undefined && matchesTag(known, etag)) return void reply.status(304).send();
  const content = await store.read(document.storage_key, range ?? undefined).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    log.error(`the bytes of document ${document.id} could not be read from the document store: ${reasonOf(error)}`);
    throw new Problem(503, message`The service is not available at the moment`);
  });
  if (!content) throw new Problem(404, message`The bytes of the document were deleted`);
  void reply
    .status(range ? 206 : 200)
    .headers({
      'content-type': document.media_type,
      // Some programs show the file although it is an attachment. This header forbids them to run anything in the file.
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': contentDisposition(document.name, { type: 'attachment' }),
      'content-length': range ? range.end - range.start + 1 : size,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    })
    .send(content);
}

/**
 * Returns the requested part. Null stands for the whole document: when `Range` is absent or has several parts, and when
 * `If-Range` names another representation.
 */
function rangeOf({ request }: FastifyReply, etag: string, size: number): ByteRange | typeof UNSATISFIABLE | null {
  const { range: header, 'if-range': condition } = request.headers;
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  return byteRangeOf(header, size);
}
