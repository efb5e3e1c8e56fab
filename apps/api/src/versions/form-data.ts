import { Busboy } from '@fastify/busboy';
import { message } from '@ats/message';
import { parseJsonBytes } from '../vocabulary/json-bytes.js';
import { Problem } from '../vocabulary/problem.js';

/**
 * Maximum number of parts. It limits the cost of a hostile body. It is higher than any handler allows, so that a
 * handler reports unknown parts.
 */
const MAX_PARTS = 20;

/**
 * Reads `multipart/form-data` (RFC 7578) whose parts contain JSON. The result is an object with one property for each
 * part. It is not validated yet.
 * @throws {Problem} 400 when the body is malformed
 */
export async function readFormData(bytes: Uint8Array, contentType: string): Promise<Readonly<Record<string, unknown>>> {
  const delimiters = countDelimiters(bytes);
  if (delimiters > MAX_PARTS + 1) throw new Problem(400, message`The request body has more than ${MAX_PARTS} parts`);
  const parts = await readParts(bytes, contentType);
  const values = new Map<string, unknown>();
  for (const [name, content] of parts) {
    if (name === undefined) throw missingPartName();
    if (values.has(name)) throw new Problem(400, message`The part ${name} of the request body was sent more than once`);
    values.set(name, jsonOf(name, content));
  }
  // Counts the parts, because the parser drops parts that are not `form-data` without an error.
  if (values.size < delimiters - 1) throw missingPartName();
  return Object.fromEntries(values);
}

const missingPartName = (): Problem => new Problem(400, message`Each part of the request body needs a name`);

type Part = readonly [name: string | undefined, content: Buffer];

function readParts(bytes: Uint8Array, contentType: string): Promise<readonly Part[]> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new Problem(400, message`The request body is not valid multipart/form-data`));
    const parts: { readonly name: string | undefined; readonly chunks: Buffer[] }[] = [];
    try {
      // Reads each part as bytes, because the parser would otherwise guess the encoding.
      const parser = new Busboy({ headers: { 'content-type': contentType }, isPartAFile: () => true });
      parser.on('file', (name: string | undefined, content) => {
        const chunks: Buffer[] = [];
        parts.push({ name, chunks });
        content.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', refuse);
      });
      parser.on('error', refuse);
      parser.on('finish', () => resolve(parts.map(({ name, chunks }) => [name, Buffer.concat(chunks)])));
      parser.end(bytes);
    } catch {
      refuse();
    }
  });
}

/**
 * The beginning of every boundary line, before each part and at the end of the body. JSON texts do not contain it,
 * because JSON escapes line breaks in strings.
 */
const DELIMITER = '\r\n--';

/**
 * Counts the delimiters, up to one above the limit. The parser makes a stream for each part, even for parts above its
 * limit. A body of delimiters alone would therefore keep it busy for seconds.
 */
function countDelimiters(bytes: Uint8Array): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = body.subarray(0, 2).toString() === '--' ? 1 : 0;
  for (
    let at = body.indexOf(DELIMITER);
    at !== -1 && count <= MAX_PARTS + 1;
    at = body.indexOf(DELIMITER, at + DELIMITER.length)
  )
    count++;
  return count;
}

const jsonOf = (name: string, content: Buffer): unknown =>
  parseJsonBytes(content, {
    noUtf8: message`The part ${name} of the request body is not valid UTF-8`,
    noJson: message`The part ${name} of the request body is not valid JSON`,
  });
