import { type Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { cleanDocumentName } from '@ats/domain';
import { message } from '@ats/message';
import { Problem } from '../vocabulary/problem.js';

export const FILE_PART = 'file';
/** Limits of form data. They are low, because the parser reads fields into memory. */
const LIMITS = { fields: 10, files: 1, parts: 11, fieldNameSize: 100, fieldSize: 2_000, headerPairs: 100 };

/**
 * Maps the name of a part of form data to its text. The part with the file is left out. When a name is repeated, its
 * last text counts.
 */
export type UploadFields = Readonly<Record<string, string>>;

/**
 * Reads form data (RFC 7578) as a stream.
 * @param keep  stores the bytes of the part `file`; called at most once
 * @returns the other parts, and the name of the file
 * @throws {Problem} 400 when the body is malformed
 */
export function readUpload(
  body: Readable,
  contentType: string,
  keep: (content: Readable) => Promise<void>,
): Promise<{ readonly fields: UploadFields; readonly fileName?: string }> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let fileName: string | undefined;
    let file: Readable | undefined;
    let kept = Promise.resolve();
    let failure: Error | undefined;
    /**
     * Ends the upload with an error. Deletes the bytes that were already stored, and reads the rest of the body, so
     * that the client reads the answer.
     */
    const fail = (error: Error): void => {
      failure ??= error;
      const reason = failure;
      body.unpipe();
      body.resume();
      file?.destroy(reason);
      kept.then(
        () => reject(reason),
        () => reject(reason),
      );
    };
    const refuse = (text = message`The request body is not valid multipart/form-data`): void =>
      fail(new Problem(400, text));
    const parser = makeParser(contentType);
    if (!parser) return refuse();
    parser.on('field', (name, value) => void (fields[name] = value));
    parser.on('file', (_name, content, sentName) => {
      file = content.on('error', () => undefined);
      fileName = sentName;
      kept = keep(content);
      kept.catch(fail);
    });
    parser.on('filesLimit', () => refuse(message`The request body has more than one part ${FILE_PART}`));
    parser.on('fieldsLimit', () => refuse(message`The request body has more than ${LIMITS.fields} parts`));
    parser.on('error', () => refuse());
    parser.on('finish', () => {
      kept.then(
        () => resolve({ fields, ...(fileName !== undefined && { fileName: cleanDocumentName(fileName) }) }),
        fail,
      );
    });
    body.on('error', fail);
    body.pipe(parser);
  });
}

/** Makes the parser of a body. Returns null for a media type without a boundary. */
function makeParser(contentType: string): InstanceType<typeof Busboy> | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      isPartAFile: (name) => name === FILE_PART,
    });
  } catch {
    return null;
  }
}
