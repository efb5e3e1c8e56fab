import { LANGUAGES, type Language } from '@ats/domain';
import Negotiator from 'negotiator';
import { type Behaviour } from '../versions/behaviour.js';
import { Problem } from './problem.js';

/** Minor versions that are served, oldest first. Source: SPEC.md 9. */
export const API_VERSIONS = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '1.9'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
/** The latest stable one. Source: SPEC.md 9. */
export const DEFAULT_API_VERSION: ApiVersion = '1.7';

const isApiVersion = (text: string): text is ApiVersion => (API_VERSIONS as readonly string[]).includes(text);
const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/** The version that an answer names as long as it is not known who asks: the one of the header, if it is one. */
export const statedVersion = (header: string | readonly string[] | undefined): ApiVersion =>
  typeof header === 'string' && isApiVersion(header) ? header : DEFAULT_API_VERSION;

/**
 * The minor version of a request.
 * @param header    `Api-Version` as it came
 * @param fallback  the credential's own, if it has one
 * @throws {Problem} 400 listing the versions, for a header that names none of them
 */
export function negotiateVersion(header: string | readonly string[] | undefined, fallback: string | null): ApiVersion {
  if (header === undefined) return fallback !== null && isApiVersion(fallback) ? fallback : DEFAULT_API_VERSION;
  const text = String(header);
  if (isApiVersion(text)) return text;
  throw new Problem(400, `Api-Version must be one of ${API_VERSIONS.join(', ')}`);
}

const BEHAVIOURS: ReadonlyMap<Behaviour, ApiVersion> = new Map([
  ['account_activation', '1.8'],
  ['candidate_comms', '1.9'],
  ['html_scalars', '1.9'],
]);

/** The older behaviours in force at a version. */
export const behavioursAt = (version: ApiVersion): ReadonlySet<Behaviour> =>
  new Set([...BEHAVIOURS].filter(([, since]) => API_VERSIONS.indexOf(version) < API_VERSIONS.indexOf(since)).map(([name]) => name));

/**
 * The language of a request, by quality (RFC 9110 12.5.4) and lookup (RFC 4647 3.4): `de-AT` finds `de`.
 * @throws {Problem} 406 when the header allows none of the languages
 */
export function negotiateLanguage(header: string | undefined, fallback: string | null): Language {
  const preset = fallback !== null && isLanguage(fallback) ? fallback : 'en';
  if (header === undefined) return preset;
  // The preset first: `*` and equal qualities mean it.
  const offered = [preset, ...LANGUAGES.filter((language) => language !== preset)];
  const chosen = new Negotiator({ headers: { 'accept-language': header } }).language(offered);
  if (chosen !== undefined && isLanguage(chosen)) return chosen;
  throw new Problem(406, `Accept-Language must allow one of ${LANGUAGES.join(', ')}`);
}
