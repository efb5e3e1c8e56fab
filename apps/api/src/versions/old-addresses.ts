import { API_PREFIX } from '@ats/domain';
import { type AnswerSettings } from './api-version.js';

/** Names of applications in addresses, and what they were called before. Source: CONTRACT.md 11. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  vacancy_applications: 'applications',
  event_applications: 'event_registrations',
};
const NAMES = Object.keys(OLD_NAMES).join('|');

/**
 * The JSON text of an answer with the old names in each `url`. It is not parsed, and no text that a client has written is touched
 * for all that: inside a string a `"` is escaped, so what is found here is a property called `url` and the beginning of its value.
 */
export const withOldAddresses = (json: string, { baseUrl }: AnswerSettings): string =>
  json.replaceAll(expressionsFor(baseUrl).inJson, oldName);

/** An address that is a header. */
export const withOldAddress = (address: string, { baseUrl }: AnswerSettings): string =>
  address.replace(expressionsFor(baseUrl).alone, oldName);

const oldName = (name: string): string => OLD_NAMES[name] ?? name;

interface Expressions {
  readonly inJson: RegExp;
  readonly alone: RegExp;
}

/** The name first, and what has to stand before it only where there is one: that is the fastest. */
function expressionsFor(baseUrl: string): Expressions {
  const found = known.get(baseUrl);
  if (found) return found;
  const address = `${baseUrl}${API_PREFIX}/`.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const made = {
    inJson: new RegExp(`(?:${NAMES})(?=/)(?<=[{,]\\s*"url"\\s*:\\s*"${address}(?:${NAMES}))`, 'g'),
    alone: new RegExp(`(?:${NAMES})(?=/)(?<=^${address}(?:${NAMES}))`),
  };
  known.set(baseUrl, made);
  return made;
}

/** One process has one base address; a test has a few. */
const known = new Map<string, Expressions>();
