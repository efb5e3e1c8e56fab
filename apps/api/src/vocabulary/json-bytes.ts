import { message, type Message } from '@ats/message';
import secureJson from 'secure-json-parse';
import { Problem } from './problem.js';

/**
 * Maximum number of properties of one object. No object of this service has so many. Each unknown property costs time,
 * and a body has room for 80,000.
 * Source: docs/reference/limits.md, "Sizes".
 */
export const MAX_PROPERTIES = 2_000;
/**
 * Length in characters below which a text cannot have an object with too many properties. A property has at least five
 * characters.
 */
const LEAST_LENGTH = MAX_PROPERTIES * 5;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON (RFC 8259) in UTF-8. Rejects invalid UTF-8, so that no byte is silently replaced, and keys that could
 * change a prototype, such as `__proto__`.
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
  const value = parsed(text, messages.noJson);
  if (text.length > LEAST_LENGTH && hasWideObject(value))
    throw new Problem(400, message`The request body has an object with more than ${MAX_PROPERTIES} properties`);
  return value;
}

function parsed(text: string, noJson: Message): unknown {
  try {
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new Problem(400, noJson);
  }
}

/**
 * True when an object in the value has too many properties. The function uses no recursion, because a client chooses
 * the depth of the value.
 */
function hasWideObject(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (inner !== next && inner.length > MAX_PROPERTIES) return true;
    for (const element of inner) if (typeof element === 'object' && element !== null) pending.push(element);
  }
  return false;
}
