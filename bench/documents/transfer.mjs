import { Agent, request as send } from 'node:http';
import { PlainError } from '../../tools/workspace.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/**
 * Sends one request, with as little work as possible. The body of the answer is only counted unless `isRead` is true.
 * @param {{ url: string, method?: string, headers?: Record<string, string>, body?: Buffer, isRead?: boolean }} options
 * @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, bytes: number, text: string }>}
 */
export function transfer({ url, method = 'GET', headers = {}, body, isRead = false }) {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {};
    const request = send(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      let bytes = 0;
      const parts = [];
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (isRead || response.statusCode >= 300) parts.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode < 300) resolve({ headers: response.headers, bytes, text });
        else reject(new PlainError(`${method} ${url}: ${response.statusCode} ${text}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const BOUNDARY = 'bench-boundary';

/** Returns a body of the type `multipart/form-data` that contains the file. */
function formWith(bytes) {
  const head = [
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="kind"',
    '',
    'other',
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="file"; filename="file.bin"',
    'Content-Type: application/octet-stream',
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/**
 * Returns the ways to upload a file to the API. Each returns the id of the document.
 * @param {{ api: string, token: string, bytes: Buffer }} options
 * @returns {Record<'raw' | 'multipart' | 'tus', () => Promise<number>>}
 */
export function uploadsTo({ api, token, bytes }) {
  const authorization = `Bearer ${token}`;
  const url = `${api}/api/v1/documents`;
  const octets = { authorization, 'content-type': 'application/octet-stream' };
  const form = formWith(bytes);
  const tus = { authorization, 'tus-resumable': '1.0.0' };
  const idOf = ({ text }) => JSON.parse(text).id;
  return {
    raw: async () =>
      idOf(
        await transfer({
          url: `${url}?kind=other&name=file.bin`,
          method: 'POST',
          headers: octets,
          body: bytes,
          isRead: true,
        }),
      ),
    multipart: async () => {
      const headers = { authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      return idOf(await transfer({ url, method: 'POST', headers, body: form, isRead: true }));
    },
    tus: async () => {
      const metadata = `kind ${btoa('other')},filename ${btoa('file.bin')}`;
      const created = await transfer({
        url: `${url}/uploads`,
        method: 'POST',
        headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
      });
      const { headers } = await transfer({
        url: created.headers.location,
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: bytes,
      });
      return Number(headers['upload-document']);
    },
  };
}

/** Returns the address that downloads a document. */
export async function linkTo({ api, token }, id) {
  const headers = { authorization: `Bearer ${token}` };
  const { text } = await transfer({ url: `${api}/api/v1/documents/${id}/link`, headers, isRead: true });
  return JSON.parse(text).url;
}
