import { LANGUAGES, type Language } from '@ats/domain';
import { message } from '@ats/message';
import { type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { VERSIONS } from '../versions/versions.js';
import { Problem } from '../vocabulary/problem.js';

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/**
 * Returns the version that an answer names before negotiation, or when negotiation fails. It is the version in the
 * header if this version is served, else the preset, else the default version.
 * @param preset  the credential's own version, if known
 */
export const statedVersion = (header: string | readonly string[] | undefined, preset: string | null = null): string =>
  [header, preset].find((version): version is string => typeof version === 'string' && VERSIONS.has(version)) ??
  VERSIONS.default;

/**
 * Returns the minor version of a request.
 * @param header  the value of `Api-Version`
 * @param preset  the credential's own version, if it has one
 * @throws {Problem} 400 that lists the versions, when the header names none of them
 * Source: docs/reference/versions.md, "Choosing a version".
 */
export function negotiateVersion(header: string | readonly string[] | undefined, preset: string | null): string {
  if (header === undefined) return preset !== null && VERSIONS.has(preset) ? preset : VERSIONS.default;
  const text = String(header);
  if (VERSIONS.has(text)) return text;
  throw new Problem(400, message`The header Api-Version must be one of ${VERSIONS.versions}`);
}

/**
 * Returns the language of a request, by quality (RFC 9110 12.5.4) and lookup (RFC 4647 3.4): `de-AT` finds `de`. Among
 * equal qualities the first range wins. Malformed ranges, and all ranges after the hundredth, are ignored.
 * @param header  the value of `Accept-Language`; a header without ranges counts as absent
 * @param wanted  the preset: used without a header, and preferred for `*`
 * @throws {Problem} 406 that lists the languages, when the header allows none of them
 * Source: docs/reference/languages.md, "Negotiation".
 */
export function negotiateLanguage(header: string | undefined, wanted: string): Language {
  const preset = isLanguage(wanted) ? wanted : LANGUAGES[0];
  if (header === undefined || /^[\s,]*$/.test(header)) return preset;
  const language = findLanguage(header, preset);
  if (language === null) throw new Problem(406, message`The header Accept-Language must allow one of ${LANGUAGES}`);
  return language;
}

/**
 * Returns the language of an error body. Before negotiation, or when negotiation fails, it is a language that the
 * header accepts, else the credential's language, else the system's default language.
 */
export function languageOf({
  context,
  headers,
  presetLanguage = '',
}: Pick<FastifyRequest, 'context' | 'headers' | 'presetLanguage'>): Language {
  const preset = isLanguage(presetLanguage) ? presetLanguage : LANGUAGES[0];
  return context?.settings.language ?? findLanguage(headers['accept-language'] ?? '', preset) ?? preset;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The language for a request without `Accept-Language`: the language of its credential, else of the system. */
    presetLanguage?: string;
  }
}

/** Maximum number of ranges that are read. It limits the cost of hostile headers. */
const MAX_RANGES = 100;

/** Matches a quality that is malformed by RFC 9110. */
const MALFORMED_QUALITY = /;\s*q\s*=(?!\s*(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$))/i;

const isWellFormed = (range: string): boolean => range.trim() !== '' && !MALFORMED_QUALITY.test(range);

/** True for the range `*` with any quality. It stands for all languages that no other range names. */
const isAny = (range: string): boolean => /^\s*\*\s*(;|$)/.test(range);

const primaryOf = (range: string): string => range.toLowerCase().split('-', 1)[0] ?? '';

function findLanguage(header: string, preset: Language): Language | null {
  // At equal quality, named languages come before `*`.
  const ranges = header
    .split(',')
    .filter(isWellFormed)
    .slice(0, MAX_RANGES)
    .sort((one, other) => Number(isAny(one)) - Number(isAny(other)));
  const negotiator = new Negotiator({ headers: { 'accept-language': ranges.join() } });
  const wanted = negotiator.languages();
  const named = new Set(wanted.map(primaryOf));
  // A language that the client refuses with `q=0` is not in this list, even if `*` or another range matches it.
  const accepted = negotiator.languages([preset, ...LANGUAGES]).filter(isLanguage);
  const unnamed = accepted.filter((language) => !named.has(language));
  for (const range of wanted) {
    const found =
      range === '*'
        ? (unnamed.find((language) => language === preset) ?? unnamed[0])
        : accepted.find((language) => language === primaryOf(range));
    if (found !== undefined) return found;
  }
  return null;
}
