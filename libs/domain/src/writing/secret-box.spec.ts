import { describe, expect, it } from '@jest/globals';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { KeyRing } from './key-ring.js';
import { SecretBox, SecretBoxError } from './secret-box.js';

const SECRET_KEY = 'a secret key of more than 32 characters';
const box = new SecretBox(SECRET_KEY, 'keys');

describe('SecretBox', () => {
  it('opens the secret that it sealed', () => {
    expect(box.open(box.seal('Grüße', 'row:1'), 'row:1')).toBe('Grüße');
  });

  it('seals with AES-256-GCM under a key from HKDF-SHA-256', () => {
    const sealed = box.seal('secret', 'row:1');
    const key = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'ats/keys', 32));
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
      .setAAD(Buffer.from('row:1'))
      .setAuthTag(sealed.subarray(-16));
    expect(sealed[0]).toBe(1);
    expect(Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()]).toString()).toBe('secret');
  });

  it('seals the same secret to different bytes, which do not contain it', () => {
    const [one, two] = [box.seal('secret', 'row:1'), box.seal('secret', 'row:1')];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });

  it('does not open with another SECRET_KEY, purpose or context', () => {
    const sealed = box.seal('secret', 'row:1');
    expect(() => new SecretBox(`${SECRET_KEY}!`, 'keys').open(sealed, 'row:1')).toThrow(SecretBoxError);
    expect(() => new SecretBox(SECRET_KEY, 'other').open(sealed, 'row:1')).toThrow(SecretBoxError);
    expect(() => box.open(sealed, 'row:2')).toThrow(SecretBoxError);
  });

  it('does not open bytes that were changed or cut', () => {
    const sealed = box.seal('secret', 'row:1');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => box.open(changed, 'row:1')).toThrow(SecretBoxError);
    }
    for (const length of [0, 1, 13, 28, sealed.length - 1])
      expect(() => box.open(sealed.subarray(0, length), 'row:1')).toThrow(SecretBoxError);
  });
});

describe('SecretBox during a rotation', () => {
  const NEXT_KEY = 'the next secret key of at least 32 characters';
  const OTHER_KEY = 'a key of nobody that has at least 32 characters';
  const boxOf = (SECRET_KEY: string, SECRET_KEY_PREVIOUS?: string): SecretBox =>
    new SecretBox({ SECRET_KEY, SECRET_KEY_PREVIOUS }, 'keys');
  /** The secret box of a process in each step of a key rotation. */
  const steps = [boxOf(SECRET_KEY), boxOf(SECRET_KEY, NEXT_KEY), boxOf(NEXT_KEY, SECRET_KEY), boxOf(NEXT_KEY)] as const;

  it('opens the values of processes that are one step of the rotation ahead or behind', () => {
    for (const [index, writer] of steps.entries()) {
      const sealed = writer.seal('secret', 'row:1');
      for (const reader of steps.slice(Math.max(index - 1, 0), index + 2))
        expect(reader.open(sealed, 'row:1')).toBe('secret');
    }
  });

  it('stores the id of the key with each value that it seals, and recognises a value of an unknown key by this id', () => {
    const [, before, after] = steps;
    const ids = [before, after].map((writer) => writer.seal('secret', 'row:1').subarray(0, 9));
    expect(ids).toEqual([before.currentPrefix, after.currentPrefix]);
    expect(ids[0]).not.toEqual(ids[1]);
    const unknown = boxOf(OTHER_KEY, SECRET_KEY).seal('secret', 'row:1');
    for (const reader of steps) expect(() => reader.open(unknown, 'row:1')).toThrow(SecretBoxError);
  });

  it('writes the format of earlier releases when no rotation is in progress', () => {
    expect(steps[0].seal('secret', 'row:1')[0]).toBe(1);
    expect(steps[3].seal('secret', 'row:1')[0]).toBe(1);
  });

  it('seals again exactly the values that the current key has not sealed', () => {
    const [first, before, after, last] = steps;
    for (const writer of [first, before]) {
      const resealed = after.reseal(writer.seal('secret', 'row:1'), 'row:1');
      expect(last.open(resealed ?? Buffer.alloc(0), 'row:1')).toBe('secret');
    }
    expect(after.reseal(after.seal('secret', 'row:1'), 'row:1')).toBeNull();
    expect(last.reseal(after.seal('secret', 'row:1'), 'row:1')).toBeNull();
    expect(() => last.reseal(before.seal('secret', 'row:1'), 'row:1')).toThrow(SecretBoxError);
  });

  it('does not open bytes that were changed or cut', () => {
    const [, , after] = steps;
    const sealed = after.seal('secret', 'row:1');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => after.open(changed, 'row:1')).toThrow(SecretBoxError);
      expect(() => after.open(sealed.subarray(0, index), 'row:1')).toThrow(SecretBoxError);
    }
  });
});

describe('KeyRing', () => {
  it('derives a separate key for each purpose from each key, the current one first', () => {
    const ring = new KeyRing({ SECRET_KEY, SECRET_KEY_PREVIOUS: 'another key of at least 32 characters' });
    const [signing, sealing] = [ring.derive('signing'), ring.derive('sealing', 64)];
    expect(signing.all[0]).toBe(signing.current);
    expect(signing.current.key).toEqual(Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'ats/signing', 32)));
    expect(sealing.all.map(({ key }) => key.length)).toEqual([64, 64]);
    expect(new Set([...signing.all, ...sealing.all].map(({ key }) => key.toString('hex'))).size).toBe(4);
    expect(signing.all.map(({ id }) => id)).toEqual(sealing.all.map(({ id }) => id));
  });
});
