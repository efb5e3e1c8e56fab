import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, type Report, sized } from './support/fault-test.js';
import { RawDestination, type RawMessage } from './support/raw-destination.js';
import { type Stage } from './support/stage.js';

/** What a destination does, and what must be stored of it: the class of its error, or null for a success. */
interface Misbehaviour {
  readonly name: string;
  readonly error: string | null;
  readonly behave: (socket: Socket, message: RawMessage) => void;
  readonly scheme?: 'https';
}

const MIB = 1024 * 1024;
/** The longest an attempt may take, and what it takes to write it down. */
const LONGEST_MS = 15_000;
/** How much the notifier may grow while it is sent gigabytes. */
const GROWTH_MIB = 150;

const OK = 'HTTP/1.1 200 OK\r\n';
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
const write = (...parts: readonly (string | Buffer)[]) => (socket: Socket): void => parts.forEach((part) => void socket.write(part));
const drip = (head: string, piece: string) => (socket: Socket): void => {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 1_000);
  socket.on('close', () => clearInterval(timer));
};
const bomb = gzipSync(Buffer.alloc(100 * MIB));

/** As much as the other side takes, up to a gibibyte. */
function pour(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = 1024 * MIB;
  socket.write(`${OK}content-length: ${left}\r\n\r\n`);
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', more);
  more();
}

const QUICK: readonly Misbehaviour[] = [
  { name: 'hangs up', error: 'connection_lost', behave: (socket) => socket.end() },
  { name: 'resets amid its headers', error: 'connection_lost', behave: (socket) => socket.write(`${OK}x-more`, () => socket.resetAndDestroy()) },
  { name: 'resets amid its body', error: null, behave: (socket) => socket.write(`${OK}content-length: 100\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 20)) },
  { name: 'sends 100 kB of headers', error: 'bad_response', behave: write(OK, `x-more: ${'x'.repeat(1_000)}\r\n`.repeat(100), '\r\n') },
  { name: 'sends a garbage status line', error: 'bad_response', behave: write('\x16\x03\x01 garbage 200\r\n\r\n') },
  { name: 'sends a gzip bomb', error: null, behave: write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb) },
  { name: 'sends 1 GiB', error: null, behave: pour },
  { name: 'sends 100 Continue unasked', error: null, behave: write('HTTP/1.1 100 Continue\r\n\r\n', NO_CONTENT) },
  { name: 'refuses early with 413', error: 'status', behave: (socket) => socket.end('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n') },
  { name: 'closes a kept connection at the next message', error: null, behave: (socket, { nth }) => (nth === 1 ? socket.write(NO_CONTENT) : socket.destroy()) },
  { name: 'speaks no TLS', error: 'tls', behave: () => undefined, scheme: 'https' },
];

const SLOW: readonly Misbehaviour[] = [
  { name: 'accepts and never answers', error: 'timeout', behave: () => undefined },
  { name: 'drips its headers', error: 'timeout', behave: drip(OK, 'x-more: 1\r\n') },
  { name: 'drips its body', error: null, behave: drip(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n') },
  { name: 'drips interim answers', error: 'timeout', behave: drip('', 'HTTP/1.1 100 Continue\r\n\r\n') },
  { name: 'never ends a TLS handshake', error: 'connect_timeout', behave: () => undefined, scheme: 'https' },
];
