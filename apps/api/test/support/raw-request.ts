import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of bytes of the status line and the headers, with the empty line after them. */
  readonly headBytes: number;
}

/** Sends bytes to a port unchanged. Reads until the server closes the connection or is silent for a minute. */
export function sendRaw(port: number, request: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => void socket.write(request));
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('utf8'))));
  });
}

/**
 * Joins a request line and headers to a request. Adds `Connection: close`, so that the server closes the connection.
 */
export const rawRequest = (...lines: readonly string[]): string => [...lines, 'Connection: close', '', ''].join('\r\n');

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...headers] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: rest.join('\r\n\r\n'),
    headBytes: Buffer.byteLength(`${head}\r\n\r\n`),
  };
}
