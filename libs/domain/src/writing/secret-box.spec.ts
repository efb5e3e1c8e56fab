import { describe, expect, it } from '@jest/globals';
import { createDecipheriv, hkdfSync } from 'node:crypto';
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
