import { type RequestOptions } from '../support/api-harness.js';

const BOUNDARY = 'boundary';

export interface Part {
  readonly name: string;
  /** The content of the part. A buffer is sent unchanged, and any other value as JSON. */
  readonly content: unknown;
  /** Header lines after `Content-Disposition`. Each begins with CRLF. */
  readonly headers?: string;
}

export const part = (name: string, content: unknown, headers = ''): Part => ({ name, content, headers });

const bytesOf = (content: unknown): Buffer =>
  Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));

/** Makes the payload and the headers of a `multipart/form-data` request with these parts. */
export function formData(
  parts: readonly Part[],
  boundary = BOUNDARY,
): Pick<RequestOptions, 'payload'> & { readonly headers: { readonly 'content-type': string } } {
  const written = parts.map(({ name, content, headers = '' }) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n`),
      bytesOf(content),
      Buffer.from('\r\n'),
    ]),
  );
  return {
    payload: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
