import { describe, expect, it } from '@jest/globals';
import { SecretBox, SecretBoxError } from '@ats/domain';
import { ChainSecretBox } from './chain-secret-box.js';

const KEY = 'a secret key of more than 32 characters';

describe('ChainSecretBox', () => {
  const sealed = new SecretBox(KEY, 'test').seal('a secret', 'endpoint:1');
  const box = new ChainSecretBox(KEY, 'test');

  it('decrypts a shared value only once', () => {
    expect(box.open(sealed, 'endpoint:1')).toBe('a secret');
    sealed.fill(0, 1); // The sealed value is damaged now, so it cannot be decrypted again.
    expect(box.open(sealed, 'endpoint:1')).toBe('a secret');
  });

  it('reuses no decrypted value for another buffer or for another owner', () => {
    expect(() => box.open(Buffer.from(sealed), 'endpoint:1')).toThrow(SecretBoxError);
    expect(() => box.open(sealed, 'endpoint:2')).toThrow(SecretBoxError);
  });
});
