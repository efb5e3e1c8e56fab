import { Busboy } from '@fastify/busboy';
import { message } from '@ats/message';
import { parseJsonBytes } from '../vocabulary/json-bytes.js';
import { Problem } from '../vocabulary/problem.js';

/** More than there can be names for: what is unknown is told, but not without an end. */
const MAX_PARTS = 20;

/**
 * `multipart/form-data` (RFC 7578) whose parts hold JSON, as the object that JSON alone would have been: its properties are the parts.
 * Whether they are those that are wanted is for the handler to say.
 * @throws {Problem} 400 for what is not well-formed
 */
export async function readFormData(bytes: Uint8Array, contentType: string): Promise<Readonly<Record<string, unknown>>> {
  const delimiters = countDelimiters(bytes);
  if (delimiters > MAX_PARTS + 1) throw new Problem(400, message`The request body has more than ${MAX_PARTS} parts`);
  const parts = await readParts(bytes, contentType);
  const values = new Map<string, unknown>();
  for (const [name, content] of parts) {
    if (name === undefined) throw nameless();
    if (values.has(name)) throw new Problem(400, message`The part ${name} of the request body was sent more than once`);
    values.set(name, jsonOf(name, content));
  }
  // The parser leaves out what is not said to be `form-data`.
  if (values.size < delimiters - 1) throw nameless();
  return Object.fromEntries(values);
}

const nameless = (): Problem => new Problem(400, message`Each part of the request body needs a name`);

type Part = readonly [name: string | undefined, content: Buffer];

function readParts(bytes: Uint8Array, contentType: string): Promise<readonly Part[]> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new Problem(400, message`The request body is not valid multipart/form-data`));
    const parts: { readonly name: string | undefined; readonly chunks: Buffer[] }[] = [];
    try {
      // Each part as bytes: whether they are UTF-8 is not to be guessed.
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

/** With what each part begins, whatever the boundary is, and the form ends. JSON has it nowhere: in its strings a line's end is escaped. */
const DELIMITER = '\r\n--';

/**
 * How many delimiters there are, or that there are too many. The parser would make a stream for each part, also of those past a limit of
 * its own: a body of nothing else keeps it busy for seconds.
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
