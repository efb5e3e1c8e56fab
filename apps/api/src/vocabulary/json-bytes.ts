import { type Message } from '@ats/message';
import secureJson from 'secure-json-parse';
import { Problem } from './problem.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON as RFC 8259 has it: in UTF-8, so that no wrong byte becomes another character in silence. `__proto__` keys are refused like
 * other malformed JSON.
 * @throws {Problem} 400
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
