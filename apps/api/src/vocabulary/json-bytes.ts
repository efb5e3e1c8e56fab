import { message, type Message } from '@ats/message';
import secureJson from 'secure-json-parse';
import { Problem } from './problem.js';

/**
 * Maximum number of properties in one object. No object of this service has that many, and each unknown property costs
 * time: 80,000 of them fit into a body. Source: docs/reference/limits.md, "Sizes".
 */
export const MAX_PROPERTIES = 2_000;
/** A shorter text cannot have an object with too many properties: each needs at least five characters. */
const LEAST_LENGTH = MAX_PROPERTIES * 5;

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

/** It uses no recursion, because a client chooses the depth of the value. */
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
