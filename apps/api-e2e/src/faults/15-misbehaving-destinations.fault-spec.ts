import { readFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { freePort } from '@ats/domain/testing';
import { faultTest, type Report } from './support/fault-test.js';
import { type Behaviour, RawDestination, type RawMessage, toReception } from './support/raw-destination.js';
import { type Stage } from './support/stage.js';

/** The behaviour of a destination, and the error code that each attempt must have. Null stands for success. */
interface Misbehaviour {
  readonly name: string;
  readonly error: string | null;
  readonly behave?: Behaviour;
  readonly onConnect?: (socket: Socket) => void;
  readonly scheme?: 'https';
  /**
   * True for a message that the destination answers. Defaults to all messages. The notifier may repeat a message
   * without an answer.
   */
  readonly answers?: (message: RawMessage) => boolean;
}

const MIB = 1024 * 1024;
/** Maximum duration in ms of an attempt, as the database stores it: the total timeout of the notifier. */
const MAX_ATTEMPT_MS = 15_000;
/** Maximum growth of the notifier's memory in MiB while destinations send gigabytes. */
const GROWTH_MIB = 150;

const OK = 'HTTP/1.1 200 OK\r\n';
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
const write =
  (...parts: readonly (string | Buffer)[]) =>
  (socket: Socket): void =>
    parts.forEach((part) => void socket.write(part));
const drip =
  (head: string, piece: string) =>
  (socket: Socket): void => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 1_000);
    socket.on('close', () => clearInterval(timer));
  };
const bomb = gzipSync(Buffer.alloc(100 * MIB));

/** Sends an answer of 1 GiB, as fast as the notifier reads. */
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
  {
    name: 'resets the connection in the headers',
    error: 'connection_lost',
    behave: (socket) => socket.write(`${OK}x-more`, () => socket.resetAndDestroy()),
  },
  {
    name: 'resets the connection in the body',
    error: null,
    behave: (socket) =>
      socket.write(`${OK}content-length: 100\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
  },
  {
    name: 'sends 100 kB of headers',
    error: 'bad_response',
    behave: write(OK, `x-more: ${'x'.repeat(1_000)}\r\n`.repeat(100), '\r\n'),
  },
  { name: 'sends an invalid status line', error: 'bad_response', behave: write('\x16\x03\x01 garbage 200\r\n\r\n') },
  {
    name: 'sends a gzip bomb',
    error: null,
    behave: write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
  },
  { name: 'sends 1 GiB', error: null, behave: pour },
  { name: 'sends an unexpected 100 Continue', error: null, behave: write('HTTP/1.1 100 Continue\r\n\r\n', NO_CONTENT) },
  {
    name: 'refuses early with 413',
    error: 'status',
    behave: (socket) => socket.end('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n'),
  },
  {
    name: 'closes a reused connection at the second message',
    error: null,
    behave: (socket, { nth }) => (nth === 1 ? socket.write(NO_CONTENT) : socket.destroy()),
    answers: ({ nth }) => nth === 1,
  },
  { name: 'speaks no TLS', error: 'tls', onConnect: write('HTTP/1.1 400 Bad Request\r\n\r\n'), scheme: 'https' },
];

const SLOW: readonly Misbehaviour[] = [
  { name: 'accepts and never answers', error: 'timeout' },
  { name: 'drips its headers', error: 'timeout', behave: drip(OK, 'x-more: 1\r\n') },
  { name: 'drips its body', error: null, behave: drip(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n') },
  { name: 'drips interim answers', error: 'timeout', behave: drip('', 'HTTP/1.1 100 Continue\r\n\r\n') },
  { name: 'never ends a TLS handshake', error: 'connect_timeout', scheme: 'https' },
];

interface AttemptRow {
  readonly subscription_id: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Sends `rounds` messages to each destination, one at a time, and checks their attempts. */
async function sendTo(
  misbehaviours: readonly Misbehaviour[],
  stage: Stage,
  report: Report,
  rounds: number,
): Promise<void> {
  const destinations: RawDestination[] = [];
  const expected = new Map<number, Misbehaviour>();
  const subscribeTo = async (misbehaviour: Misbehaviour, port: number): Promise<void> => {
    const { id } = await stage.subscribe({ url: `${misbehaviour.scheme ?? 'http'}://127.0.0.1:${port}/hook` });
    expected.set(id, misbehaviour);
  };
  try {
    for (const misbehaviour of misbehaviours) {
      const behave: Behaviour = (socket, message) => {
        const { error, answers = () => true } = misbehaviour;
        stage.destinations.receptions.push(toReception(message, error === null && answers(message) ? 200 : 0));
        misbehaviour.behave?.(socket, message);
      };
      const destination = await RawDestination.start(behave, { onConnect: misbehaviour.onConnect });
      destinations.push(destination);
      await subscribeTo(misbehaviour, destination.port);
    }
    await subscribeTo({ name: 'refuses connections', error: 'connection_refused' }, await freePort());

    const before = memoryMib(stage, 'VmRSS');
    for (let round = 0; round < rounds; round += 1) {
      await stage.raise(1);
      await stage.settled();
    }
    const growth = memoryMib(stage, 'VmHWM') - before;
    report.faults += expected.size;
    await expectOutcomes(stage, expected, rounds);
    expect(growth).toBeLessThan(GROWTH_MIB);
    const { rows } = await stage.database.query<{ longest: number }>(
      'SELECT max(duration_ms) AS longest FROM notification_attempts',
    );
    report.note(
      `longest attempt ${((rows[0]?.longest ?? 0) / 1_000).toFixed(1)} s of 15 s; ` +
        `the memory of the notifier grew by at most ${Math.round(growth)} MiB`,
    );
    report.check(await stage.verdict());
  } finally {
    await Promise.all(destinations.map((destination) => destination.stop()));
  }
}

/** Expects that each message either succeeded at its first attempt, or failed twice with the same error. */
async function expectOutcomes(
  stage: Stage,
  expected: ReadonlyMap<number, Misbehaviour>,
  rounds: number,
): Promise<void> {
  const { rows } = await stage.database.query<AttemptRow>(
    `SELECT d.subscription_id, a.error, a.duration_ms FROM notification_attempts a
     JOIN notification_deliveries d ON d.id = a.delivery_id AND d.occurred_dt = a.occurred_dt`,
  );
  const seen = [...expected].map(([id, { name }]) => {
    const attempts = rows.filter(({ subscription_id }) => Number(subscription_id) === id);
    return {
      name,
      errors: attempts.map(({ error }) => error),
      tooLong: attempts.filter(({ duration_ms }) => duration_ms > MAX_ATTEMPT_MS),
    };
  });
  const wanted = [...expected.values()].map(({ name, error }) => {
    const attempts = error === null ? rounds : 2 * rounds;
    return { name, errors: Array.from({ length: attempts }, () => error), tooLong: [] };
  });
  expect(seen).toEqual(wanted);
}

/** Returns the memory of the notifier in MiB. Returns 0 on systems other than Linux. */
function memoryMib(stage: Stage, field: 'VmRSS' | 'VmHWM'): number {
  const pid = stage.notifiers[0]?.pid;
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const [, kib] = new RegExp(`${field}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}

const stage = { settings: { DELIVERY_SCHEDULE: '1' } };

faultTest({ number: 15, fault: 'destinations break the protocol at once', isFast: true, stage }, (running, report) =>
  sendTo(QUICK, running, report, 3),
);
faultTest({ number: 15, fault: 'destinations never finish their answer', stage }, (running, report) =>
  sendTo(SLOW, running, report, 1),
);
