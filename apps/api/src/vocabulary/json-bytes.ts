import { type Message } from '@ats/message';
import secureJson from 'secure-json-parse';
import { Problem } from './problem.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON (RFC 8259) in UTF-8. Invalid UTF-8 is rejected, so that no byte is silently replaced. `__proto__` keys
 * are rejected like malformed JSON.
 * @throws {Problem} 400 with one of `messages`
 */
export function parseJsonBytes(
  bytes: Uint8Array,
  messages: { readonly noUtf8: Message; readonly noJson: Message },
): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new Problem(400, messages.noUtf8);
  }
  try {
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new Problem(400, messages.noJson);
  }
}
