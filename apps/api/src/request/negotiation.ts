import { LANGUAGES, type Language } from '@ats/domain';
import { message } from '@ats/message';
import { type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { VERSIONS } from '../versions/versions.js';
import { Problem } from '../vocabulary/problem.js';

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/**
 * The version that an answer names as long as it is not known who asks: the one of the header, if it is one.
 * @param preset  that of a credential which need not have been shown
 */
export const statedVersion = (header: string | readonly string[] | undefined, preset: string | null = null): string =>
  [header, preset].find((version): version is string => typeof version === 'string' && VERSIONS.has(version)) ??
  VERSIONS.default;

/**
 * The minor version of a request.
 * @param header  `Api-Version` as it came
 * @param preset  the credential's own, if it has one
 * @throws {Problem} 400 listing the versions, for a header that names none of them
 */
export function negotiateVersion(header: string | readonly string[] | undefined, preset: string | null): string {
  if (header === undefined) return preset !== null && VERSIONS.has(preset) ? preset : VERSIONS.default;
  const text = String(header);
  if (VERSIONS.has(text)) return text;
  throw new Problem(400, message`Api-Version must be one of ${VERSIONS.versions}`);
}

/**
 * The language of a request, by quality (RFC 9110 12.5.4) and lookup (RFC 4647 3.4): `de-AT` finds `de`. Of languages that are wanted
 * alike the first one is taken; what cannot be understood counts for nothing, nor does what follows the hundredth.
 * @param header  `Accept-Language` as it came; one without a word is as good as none
 * @param wanted  the language for who has no wish, and what `*` means
 * @throws {Problem} 406 listing the languages, when the header allows none of them
 */
export function negotiateLanguage(header: string | undefined, wanted: string): Language {
  const preset = isLanguage(wanted) ? wanted : LANGUAGES[0];
  if (header === undefined || /^[\s,]*$/.test(header)) return preset;
  const language = findLanguage(header, preset);
  if (language === null) throw new Problem(406, message`Accept-Language must allow one of ${LANGUAGES}`);
  return language;
}

/**
 * The language of a problem: that of the request, or, as long as that is not known, one that its header asks for, else that of whoever
 * asks, else that of the system.
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
    /** For who has no wish: the credential's own, else the system's. */
    presetLanguage?: string;
  }
}

/** The lookup would be the same for more, and nobody speaks so many: it is to cost little whatever is sent. */
const MAX_RANGES = 100;

/** A quality that RFC 9110 has no such form for. */
const MALFORMED_QUALITY = /;\s*q\s*=(?!\s*(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$))/i;

const isLegible = (range: string): boolean => range.trim() !== '' && !MALFORMED_QUALITY.test(range);

/** `*`, of whatever quality: any language that no other range names. */
const isAny = (range: string): boolean => /^\s*\*\s*(;|$)/.test(range);

const primaryOf = (range: string): string => range.toLowerCase().split('-', 1)[0] ?? '';

function findLanguage(header: string, preset: Language): Language | null {
  // What is named goes before what is not, where both are wanted alike.
  const ranges = header
    .split(',')
    .filter(isLegible)
    .slice(0, MAX_RANGES)
    .sort((one, other) => Number(isAny(one)) - Number(isAny(other)));
  const negotiator = new Negotiator({ headers: { 'accept-language': ranges.join() } });
  const wanted = negotiator.languages();
  const named = new Set(wanted.map(primaryOf));
  // What is refused by a quality of 0 is not among them, whatever range would lead to it.
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
