import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { verify } from '../src/index.js';
import { type SignatureVector } from './vectors.js';

const KEY = 'a'.repeat(64);
const SENT_AT = '2026-11-21T09:00:00Z';
/** Texts that a careless parser may misread or skip, such as digits of other scripts, line ends and null bytes. */
const PIECES = [
  '2026',
  '-',
  ':',
  '00',
  'Z',
  ',',
  '.',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '٠',
  '０',
  'é',
  '\u00a0',
  '\u2028',
  '0',
  '60',
  '24',
  '+',
  'z',
  'A',
  'f',
  '\ufeff',
  '😀',
];

const oneOf = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const bodies = oneOf(Buffer.from('{}'), Buffer.alloc(0), Buffer.from('\ufeff{}'), Buffer.from([0xff, 0, 0x0a, 0x0d]));
const dates = fc.tuple(
  oneOf('2024', '2025', '2026', '9999'),
  oneOf('01', '02', '11', '12', '00', '13'),
  oneOf('01', '28', '29', '30', '31', '00', '32'),
);
const times = fc.tuple(oneOf('00', '09', '23', '24', '25'), oneOf('00', '59', '60'), oneOf('00', '59', '60', '61'));
const anyTimestamp = fc.tuple(dates, times).map(([date, time]) => `${date.join('-')}T${time.join(':')}Z`);
const keys = oneOf([KEY], [KEY, 'b'], [KEY], ['b', KEY], ['schlüssel 🔑', KEY], [' '], ['']);

/** Generates variants of a text, in which a hostile piece is inserted or replaces a part. */
const changed = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(2), oneOf('', ...PIECES))
    .map(([at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length));

const headers = fc
  .record({
    timestamp: fc.oneof(fc.constant(SENT_AT), anyTimestamp, changed(SENT_AT)),
    key: oneOf(KEY, KEY, KEY, KEY, '', 'schlüssel 🔑', ' '),
    body: bodies,
  })
  .chain(({ timestamp, key, body }) => {
    const header = `${timestamp},${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`;
    return fc.record({
      timestamp: fc.constant(timestamp),
      body: fc.constant(body),
      header: fc.oneof(fc.constant(header), fc.constant(header), changed(header)),
    });
  });

/**
 * Returns messages with genuine and forged signatures over all kinds of timestamps. Each has the expected result of
 * `verify`. Every call returns the same messages.
 */
export function hostileMessages(
  count: number,
): readonly (Omit<SignatureVector, 'code'> & { readonly isGenuine: boolean })[] {
  const differences = oneOf(0, 0, 0, 300, -300, 301, -301);
  const sampled = fc.sample(fc.tuple(headers, keys, differences, oneOf(300, 300, 300, 0)), { numRuns: count, seed: 1 });
  return sampled.map(([{ timestamp, body, header }, known, difference, tolerance], index) => {
    const now = (Date.parse(timestamp) || Date.parse(SENT_AT)) / 1000 + difference;
    const message = {
      name: `message ${index}`,
      body_base64: body.toString('base64'),
      header,
      keys: known,
      tolerance_seconds: tolerance,
      now,
    };
    return { ...message, isGenuine: isGenuine(message) };
  });
}

function isGenuine({
  body_base64,
  header,
  keys: known,
  tolerance_seconds,
  now,
}: Omit<SignatureVector, 'code'>): boolean {
  try {
    const headers = { 'x-service-notify-signature': header };
    verify({
      body: Buffer.from(body_base64, 'base64'),
      headers,
      keys: known,
      toleranceSeconds: tolerance_seconds,
      now: new Date(now * 1000),
    });
    return true;
  } catch {
    return false;
  }
}
