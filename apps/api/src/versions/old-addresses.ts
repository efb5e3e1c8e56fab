import { API_PREFIX } from '@ats/domain';
import { type AnswerSettings } from './api-version.js';

/** Maps the new names of applications in URLs to the old names. Source: docs/reference/versions.md, "Changes". */
const OLD_NAMES: Readonly<Record<string, string>> = {
  vacancy_applications: 'applications',
  event_applications: 'event_registrations',
};
const NAMES = Object.keys(OLD_NAMES).join('|');

/**
 * Replaces the new names of applications in every `url` of a JSON answer by the old names, without parsing the answer.
 * Texts of clients never change, because a `"` in a string is escaped. A match is therefore always a property `url`
 * with the beginning of its value.
 */
export const withOldAddresses = (json: string, { baseUrl }: AnswerSettings): string =>
  json.replaceAll(expressionsFor(baseUrl).inJson, oldName);

/** Replaces the name of applications in the URL of a header by the old name. */
export const withOldAddress = (address: string, { baseUrl }: AnswerSettings): string =>
  address.replace(expressionsFor(baseUrl).alone, oldName);

const oldName = (name: string): string => OLD_NAMES[name] ?? name;

interface Expressions {
  readonly inJson: RegExp;
  readonly alone: RegExp;
}

/**
 * Builds patterns that first match the name and then check the text before it with a lookbehind. Such patterns are the
 * fastest.
 */
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

/** Maps a base URL to its compiled patterns. A process has one base URL; tests have a few. */
const known = new Map<string, Expressions>();
