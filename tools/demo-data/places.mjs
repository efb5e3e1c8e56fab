// @ts-check
import { allLocales, Faker } from '@faker-js/faker';

/**
 * Telephone numbers come only from ranges that authorities reserve for fiction (United States and Canada 555-0100 to
 * 0199, Ofcom, Bundesnetzagentur, Arcep, ACMA, PTS). Countries without such a range use the numbers of another country.
 * `#` stands for a digit.
 *
 * @typedef {{ mobile: readonly string[], landline: readonly string[] }} Phones
 * @typedef {object} Country
 * @property {keyof typeof allLocales} locale Faker's locale, for cities, streets and postal codes
 * @property {Phones} phones
 * @property {readonly string[]} [cities] cities of the country when Faker has none
 * @property {boolean} [hasNoPostalCodes]
 */

const american = {
  mobile: ['+1 202 555 01##', '+1 312 555 01##', '+1 415 555 01##', '+1 617 555 01##', '+1 416 555 01##'],
  landline: ['+1 212 555 01##', '+1 303 555 01##'],
};
const british = {
  mobile: ['+44 7700 900###'],
  landline: ['+44 20 7946 0###', '+44 161 496 0###', '+44 131 496 0###', '+44 113 496 0###'],
};
const german = {
  mobile: ['+49 171 39200##'],
  landline: ['+49 30 23125 ###', '+49 40 66969 ###', '+49 89 99998 ###', '+49 221 4710 ###', '+49 69 90009 ###'],
};
const french = {
  mobile: ['+33 6 39 98 ## ##'],
  landline: ['+33 1 99 00 ## ##', '+33 4 65 71 ## ##', '+33 5 36 49 ## ##'],
};
const australian = {
  mobile: [
    '+61 491 570 006',
    '+61 491 570 156',
    '+61 491 570 157',
    '+61 491 570 158',
    '+61 491 570 159',
    '+61 491 570 110',
  ],
  landline: ['+61 2 5550 ####', '+61 3 7010 ####'],
};
const swedish = {
  mobile: ['+46 70 174 06 05', '+46 70 174 06 3#', '+46 70 174 06 5#'],
  landline: ['+46 8 465 004 ##', '+46 31 390 06 ##'],
};

/** @type {Readonly<Record<string, Country>>} */
const countries = {
  GB: { locale: 'en_GB', phones: british },
  IE: { locale: 'en_IE', phones: british },
  US: { locale: 'en_US', phones: american },
  CA: { locale: 'en_CA', phones: american },
  AU: { locale: 'en_AU', phones: australian },
  NZ: { locale: 'en_AU', phones: australian, cities: ['Auckland', 'Wellington', 'Christchurch'] },
  DE: { locale: 'de', phones: german },
  AT: { locale: 'de_AT', phones: german },
  CH: { locale: 'de_CH', phones: german },
  FR: { locale: 'fr', phones: french },
  BE: { locale: 'fr_BE', phones: french },
  ES: { locale: 'es', phones: british },
  MX: { locale: 'es_MX', phones: american },
  PT: { locale: 'pt_PT', phones: british },
  BR: { locale: 'pt_BR', phones: american },
  IT: { locale: 'it', phones: british },
  SE: { locale: 'sv', phones: swedish },
  DK: { locale: 'da', phones: swedish },
  NO: { locale: 'nb_NO', phones: swedish },
  NL: { locale: 'nl', phones: british },
  PL: { locale: 'pl', phones: british },
  CZ: { locale: 'cs_CZ', phones: german },
  HU: { locale: 'hu', phones: german },
  TR: { locale: 'tr', phones: german },
  GR: { locale: 'el', phones: british },
  UA: { locale: 'uk', phones: british },
  IN: { locale: 'en_IN', phones: british },
  CN: { locale: 'zh_CN', phones: american },
  SG: { locale: 'en_GB', phones: british, cities: ['Singapore'] },
  JP: { locale: 'ja', phones: american },
  KR: { locale: 'ko', phones: american },
  VN: { locale: 'vi', phones: french },
  AE: { locale: 'en', phones: british, cities: ['Dubai', 'Abu Dhabi'], hasNoPostalCodes: true },
  EG: { locale: 'ar', phones: british, cities: ['القاهرة', 'الإسكندرية'] },
  JO: { locale: 'ar', phones: british, cities: ['عمّان', 'إربد'] },
  MA: { locale: 'fr', phones: french, cities: ['Casablanca', 'Rabat', 'Fès'] },
  IL: { locale: 'he', phones: british },
  NG: { locale: 'en_NG', phones: british },
  GH: { locale: 'en_GH', phones: british, hasNoPostalCodes: true },
  SN: { locale: 'fr_SN', phones: french },
  KE: { locale: 'en', phones: british, cities: ['Nairobi', 'Mombasa', 'Kisumu'] },
};

/** Faker's random numbers come from the stream of the present row, so that a row does not depend on earlier rows. */
let stream = /** @type {import('./random.mjs').Random | undefined} */ (undefined);
const randomizer = { next: () => stream?.float() ?? 0, seed: () => undefined };
/** @type {Map<string, Faker>} */
const fakers = new Map();

/**
 * Returns the generator of places for a locale of Faker.
 * @param {keyof typeof allLocales} locale
 */
function fakerOf(locale) {
  const found = fakers.get(locale);
  if (found) return found;
  const language = /** @type {keyof typeof allLocales} */ (locale.split('_')[0]);
  const fallbacks = [allLocales[locale], allLocales[language], allLocales.en, allLocales.base];
  const made = new Faker({ locale: fallbacks.filter((definition) => definition !== undefined), randomizer });
  fakers.set(locale, made);
  return made;
}

/**
 * Draws a postal address in a country.
 * @param {string} code of the country
 * @param {import('./random.mjs').Random} random
 * @returns {[street: string, city: string, region: string | null, postalCode: string | null, country: string]}
 */
export function addressOf(code, random) {
  const { locale, cities, hasNoPostalCodes = false } = countries[code];
  const { location } = fakerOf(locale);
  stream = random;
  return [
    location.streetAddress(),
    cities ? random.pick(cities) : location.city(),
    // A locale without regions of its own gets no region: Faker would return regions of the United States.
    !cities && allLocales[locale].location?.state ? location.state() : null,
    hasNoPostalCodes ? null : location.zipCode(),
    code,
  ];
}

/**
 * Draws a telephone number of a country.
 * @param {string} code of the country
 * @param {keyof Phones} kind
 * @param {import('./random.mjs').Random} random
 */
export const phoneOf = (code, kind, random) =>
  random.pick(countries[code].phones[kind]).replaceAll('#', () => String(random.between(0, 9)));

/** The offices of the demo organisation: location and currency. */
export const offices = /** @type {const} */ ([
  ['London', 'GBP'],
  ['Manchester', 'GBP'],
  ['Dublin', 'EUR'],
  ['Berlin', 'EUR'],
  ['München', 'EUR'],
  ['Paris', 'EUR'],
  ['Lyon', 'EUR'],
  ['Madrid', 'EUR'],
  ['Amsterdam', 'EUR'],
  ['Zürich', 'CHF'],
  ['New York, NY', 'USD'],
  ['Austin, TX', 'USD'],
  ['Remote (Europe)', 'EUR'],
  ['Remote (US)', 'USD'],
]);

/** Salaries are stated in EUR; these factors convert them. */
export const salaryFactors = Object.freeze({ EUR: 1, GBP: 0.9, USD: 1.25, CHF: 1.5 });
