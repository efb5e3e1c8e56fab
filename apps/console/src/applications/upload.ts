import { ApiError, ConnectionError } from '@ats/client';
import { send } from '../data/service.js';

const UPLOADS = '/api/v1/documents/uploads';
const TUS = { 'Tus-Resumable': '1.0.0' };
/** Number of bytes in one request. The upload reports its progress after each request. */
const PART_BYTES = 1_048_576;
/** Maximum number of interruptions in one upload. The pauses after all interruptions last half a minute together. */
const MAX_INTERRUPTIONS = 6;
/**
 * Time in ms after which the console asks again for the document of a finished upload, which the service is still
 * making.
 */
const ASK_AGAIN_MS = 500;

/** A file to upload, the function that receives the progress, and the signal that aborts the upload. */
export interface Upload {
  readonly file: File;
  readonly kind: string;
  /** Called with the share of the bytes that the service has stored, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file in parts, and continues after an interruption. Deletes the upload when `signal` aborts.
 * @returns the id of the document, which has no owner yet
 * @throws ApiError, ConnectionError
 * Source: docs/reference/documents.md, "Resumable uploads".
 */
export async function uploadFile({ file, kind, onProgress, signal }: Upload): Promise<number> {
  const metadata = `filename ${base64(file.name)},kind ${base64(kind)}`;
  const headers = { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
  const { response } = await send('post', UPLOADS, { headers, signal });
  const location = response.headers.get('location') ?? '';
  const url = location.slice(location.indexOf(UPLOADS));
  try {
    /** The number of stored bytes. Undefined after an interruption, until the service tells it. */
    let offset: number | undefined = Number(response.headers.get('upload-offset') ?? 0);
    let document = documentOf(response);
    for (let interruptions = 0; document === undefined; ) {
      if (offset !== undefined) onProgress(offset / file.size);
      try {
        const isAsking: boolean = offset === undefined || offset === file.size;
        const answer: Response = isAsking ? await ask(url, signal) : await sendPart(url, file, offset ?? 0, signal);
        [offset, document] = [Number(answer.headers.get('upload-offset') ?? 0), documentOf(answer)];
        if (document === undefined && offset === file.size) await pause(ASK_AGAIN_MS);
      } catch (error) {
        interruptions += 1;
        if (signal.aborted || !isInterruption(error) || interruptions > MAX_INTERRUPTIONS) throw error;
        offset = undefined;
        await pause(ASK_AGAIN_MS * 2 ** (interruptions - 1));
      }
    }
    onProgress(1);
    return document;
  } catch (error) {
    // The service deletes incomplete uploads after a day, so an error of this request does not matter.
    await send('delete', url, { headers: TUS }).catch(() => undefined);
    throw error;
  }
}

async function sendPart(url: string, file: File, offset: number, signal: AbortSignal): Promise<Response> {
  const bytes = file.slice(offset, offset + PART_BYTES);
  return (await send('patch', url, { headers: { ...TUS, 'Upload-Offset': String(offset) }, bytes, signal })).response;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const ask = async (url: string, signal: AbortSignal): Promise<Response> =>
  (await send('head', url, { headers: TUS, signal })).response;

/**
 * True for a lost connection, and for two statuses after which the upload can continue. 409: the service has stored
 * another number of bytes. 423: an aborted request still has the lock of the upload.
 */
const isInterruption = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && [409, 423].includes(error.status));

function documentOf({ headers }: Response): number | undefined {
  const id = headers.get('upload-document');
  return id === null ? undefined : Number(id);
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
