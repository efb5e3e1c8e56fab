// @ts-check

/**
 * Countries with some of their cities (and the region of each), how streets and post codes look there, and phone numbers.
 * `#` stands for a digit, `@` for a capital letter. Numbers come from ranges that the authorities keep for fiction alone (United States and
 * Canada 555-0100 to 0199, Ofcom, Bundesnetzagentur, Arcep, ACMA, PTS); people of other countries have a British or
 * American one.
 *
 * @typedef {object} Country
 * @property {readonly (readonly [city: string, region: string | null])[]} cities
 * @property {readonly string[]} streets
 * @property {(street: string, number: number) => string} line
 * @property {string} postalCode
 * @property {readonly string[]} mobile
 * @property {readonly string[]} landline
 */

/** @param {string} text */
const list = (text) => text.trim().split(/\s*,\s*/);
/** @param {string} text `City/Region` or `City` */
const cities = (text) =>
  list(text).map((entry) => /** @type {const} */ ([entry.split('/')[0], entry.split('/')[1] ?? null]));

/** @type {Country['line']} */
const numberFirst = (street, number) => `${number} ${street}`;
/** @type {Country['line']} */
const numberLast = (street, number) => `${street} ${number}`;

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

const english = list(
  `Orchard Lane, Mill Road, Station Road, Church Street, Willow Close, Kings Avenue, Park View, Meadow Drive, Chestnut Grove, Harbour Street, Victoria Terrace, Elm Street`,
);
const germanStreets = list(
  `Lindenstraße, Bahnhofstraße, Gartenweg, Schillerstraße, Am Mühlbach, Birkenallee, Kirchgasse, Rosenweg, Goethestraße, Hauptstraße`,
);
const frenchStreets = list(
  `rue des Tilleuls, rue de la Gare, avenue des Acacias, rue du Moulin, place de l'Église, chemin des Vignes, boulevard de la République`,
);
const spanishStreets = list(
  `Calle Mayor, Calle de la Fuente, Avenida del Sol, Calle del Olivo, Plaza Nueva, Paseo de los Naranjos`,
);
const plain = list(
  `Garden Street, Market Street, River Road, Cedar Avenue, Lake View Road, Hill Street, Palm Road, Old Town Street`,
);

/** @type {Readonly<Record<string, Country>>} */
export const countries = {
  GB: {
    cities: cities(
      'London/Greater London, Manchester/Greater Manchester, Leeds/West Yorkshire, Bristol, Edinburgh/Scotland, Cardiff/Wales, Birmingham/West Midlands, Sheffield/South Yorkshire',
    ),
    streets: english,
    line: numberFirst,
    postalCode: '@@# #@@',
    ...british,
  },
  IE: {
    cities: cities('Dublin/Leinster, Cork/Munster, Galway/Connacht, Limerick/Munster'),
    streets: english,
    line: numberFirst,
    postalCode: '@## @#@#',
    ...british,
  },
  US: {
    cities: cities(
      'New York/NY, Chicago/IL, Boston/MA, Austin/TX, Denver/CO, Seattle/WA, Portland/OR, Atlanta/GA, Minneapolis/MN',
    ),
    streets: english,
    line: numberFirst,
    postalCode: '#####',
    ...american,
  },
  CA: {
    cities: cities('Toronto/ON, Montréal/QC, Vancouver/BC, Ottawa/ON, Québec/QC'),
    streets: english,
    line: numberFirst,
    postalCode: '@#@ #@#',
    ...american,
  },
  AU: {
    cities: cities('Sydney/NSW, Melbourne/VIC, Brisbane/QLD, Perth/WA'),
    streets: english,
    line: numberFirst,
    postalCode: '####',
    ...australian,
  },
  NZ: {
    cities: cities('Auckland, Wellington, Christchurch'),
    streets: english,
    line: numberFirst,
    postalCode: '####',
    ...australian,
  },
  DE: {
    cities: cities(
      'Berlin, Hamburg, München/Bayern, Köln/Nordrhein-Westfalen, Düsseldorf/Nordrhein-Westfalen, Leipzig/Sachsen, Nürnberg/Bayern, Frankfurt am Main/Hessen, Göttingen/Niedersachsen',
    ),
    streets: germanStreets,
    line: numberLast,
    postalCode: '#####',
    ...german,
  },
  AT: {
    cities: cities('Wien, Graz/Steiermark, Linz/Oberösterreich'),
    streets: germanStreets,
    line: numberLast,
    postalCode: '####',
    ...german,
  },
  CH: {
    cities: cities('Zürich, Genève, Basel, Lausanne/Vaud'),
    streets: germanStreets,
    line: numberLast,
    postalCode: '####',
    ...german,
  },
  FR: {
    cities: cities(
      'Paris/Île-de-France, Lyon/Auvergne-Rhône-Alpes, Nantes/Pays de la Loire, Toulouse/Occitanie, Saint-Étienne/Auvergne-Rhône-Alpes, Marseille/Provence-Alpes-Côte d’Azur',
    ),
    streets: frenchStreets,
    line: numberFirst,
    postalCode: '#####',
    ...french,
  },
  BE: {
    cities: cities('Bruxelles, Liège/Wallonie, Gent/Vlaanderen'),
    streets: frenchStreets,
    line: numberLast,
    postalCode: '####',
    ...french,
  },
  ES: {
    cities: cities('Madrid, Barcelona/Cataluña, Málaga/Andalucía, A Coruña/Galicia, Bilbao/País Vasco'),
    streets: spanishStreets,
    line: numberLast,
    postalCode: '#####',
    ...british,
  },
  MX: {
    cities: cities('Ciudad de México, Guadalajara/Jalisco, Mérida/Yucatán'),
    streets: spanishStreets,
    line: numberLast,
    postalCode: '#####',
    ...american,
  },
  PT: {
    cities: cities('Lisboa, Porto, Coimbra'),
    streets: list('Rua das Flores, Rua da Fonte, Avenida da Liberdade, Travessa do Jardim'),
    line: numberLast,
    postalCode: '####-###',
    ...british,
  },
  BR: {
    cities: cities('São Paulo/SP, Florianópolis/SC'),
    streets: list('Rua das Flores, Rua São João, Avenida Brasil'),
    line: numberLast,
    postalCode: '#####-###',
    ...american,
  },
  IT: {
    cities: cities('Milano/Lombardia, Torino/Piemonte, Bologna/Emilia-Romagna, Forlì/Emilia-Romagna'),
    streets: list('Via Garibaldi, Via dei Mille, Corso Italia, Via delle Rose'),
    line: numberLast,
    postalCode: '#####',
    ...british,
  },
  SE: {
    cities: cities('Stockholm, Göteborg, Malmö, Örebro'),
    streets: list('Storgatan, Björkvägen, Kyrkogatan, Ängsvägen'),
    line: numberLast,
    postalCode: '### ##',
    ...swedish,
  },
  DK: {
    cities: cities('København, Aarhus, Odense'),
    streets: list('Nørregade, Skovvej, Kirkevej'),
    line: numberLast,
    postalCode: '####',
    ...swedish,
  },
  NO: {
    cities: cities('Oslo, Bergen, Tromsø'),
    streets: list('Storgata, Bjørkeveien, Kirkegata'),
    line: numberLast,
    postalCode: '####',
    ...swedish,
  },
  NL: {
    cities: cities('Amsterdam, Utrecht, Rotterdam/Zuid-Holland, ’s-Hertogenbosch/Noord-Brabant'),
    streets: list('Dorpsstraat, Molenweg, Kerkstraat, Lindelaan'),
    line: numberLast,
    postalCode: '#### @@',
    ...british,
  },
  PL: {
    cities: cities('Warszawa/mazowieckie, Kraków/małopolskie, Łódź/łódzkie, Wrocław/dolnośląskie'),
    streets: list('ul. Lipowa, ul. Kwiatowa, ul. Słoneczna'),
    line: numberLast,
    postalCode: '##-###',
    ...british,
  },
  CZ: {
    cities: cities('Praha, Brno, Plzeň'),
    streets: list('Lipová, Zahradní, Květinová'),
    line: numberLast,
    postalCode: '### ##',
    ...german,
  },
  HU: {
    cities: cities('Budapest, Győr, Pécs'),
    streets: list('Petőfi utca, Kossuth utca, Rózsa utca'),
    line: numberLast,
    postalCode: '####',
    ...german,
  },
  TR: {
    cities: cities('İstanbul, Ankara, İzmir, Eskişehir'),
    streets: list('Çınar Sokak, Gül Sokak, Bahçe Caddesi'),
    line: numberLast,
    postalCode: '#####',
    ...german,
  },
  GR: {
    cities: cities('Αθήνα, Θεσσαλονίκη, Πάτρα'),
    streets: list('Οδός Ανθέων, Οδός Ελιάς'),
    line: numberLast,
    postalCode: '### ##',
    ...british,
  },
  UA: {
    cities: cities('Київ, Львів, Одеса'),
    streets: list('вул. Садова, вул. Липова'),
    line: numberLast,
    postalCode: '#####',
    ...british,
  },
  IN: {
    cities: cities(
      'Bengaluru/Karnataka, Mumbai/Maharashtra, Chennai/Tamil Nadu, Pune/Maharashtra, Kolkata/West Bengal',
    ),
    streets: plain,
    line: numberFirst,
    postalCode: '######',
    ...british,
  },
  CN: {
    cities: cities('上海, 北京, Shenzhen/Guangdong, Chengdu/Sichuan'),
    streets: plain,
    line: numberFirst,
    postalCode: '######',
    ...american,
  },
  SG: { cities: cities('Singapore'), streets: plain, line: numberFirst, postalCode: '######', ...british },
  JP: {
    cities: cities('東京, 大阪, Yokohama/Kanagawa'),
    streets: plain,
    line: numberFirst,
    postalCode: '###-####',
    ...american,
  },
  KR: { cities: cities('서울, 부산, Incheon'), streets: plain, line: numberFirst, postalCode: '#####', ...american },
  VN: { cities: cities('Hà Nội, Đà Nẵng, Huế'), streets: plain, line: numberFirst, postalCode: '######', ...french },
  AE: { cities: cities('Dubai, Abu Dhabi'), streets: plain, line: numberFirst, postalCode: '', ...british },
  EG: { cities: cities('القاهرة, الإسكندرية'), streets: plain, line: numberFirst, postalCode: '#####', ...british },
  JO: { cities: cities('عمّان, إربد'), streets: plain, line: numberFirst, postalCode: '#####', ...british },
  MA: {
    cities: cities('Casablanca, Rabat, Fès'),
    streets: frenchStreets,
    line: numberFirst,
    postalCode: '#####',
    ...french,
  },
  IL: { cities: cities('תל אביב, ירושלים, חיפה'), streets: plain, line: numberLast, postalCode: '#######', ...british },
  NG: {
    cities: cities('Lagos, Abuja, Ibadan/Oyo'),
    streets: plain,
    line: numberFirst,
    postalCode: '######',
    ...british,
  },
  GH: { cities: cities('Accra, Kumasi/Ashanti'), streets: plain, line: numberFirst, postalCode: '', ...british },
  SN: { cities: cities('Dakar, Thiès'), streets: frenchStreets, line: numberFirst, postalCode: '#####', ...french },
  KE: {
    cities: cities('Nairobi, Mombasa, Kisumu'),
    streets: plain,
    line: numberFirst,
    postalCode: '#####',
    ...british,
  },
};

const letters = 'ABCDEFGHJKLMNPRSTUVWXY';

/**
 * @param {string} pattern
 * @param {import('./random.mjs').Random} random
 */
export function fill(pattern, random) {
  let text = '';
  for (const sign of pattern)
    text += sign === '#' ? random.between(0, 9) : sign === '@' ? letters[random.between(0, letters.length - 1)] : sign;
  return text;
}

/** Where the demo organisation has its offices: [location, currency, country]. */
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

/** How salaries, given in EUR, read in another currency. */
export const salaryFactors = Object.freeze({ EUR: 1, GBP: 0.9, USD: 1.25, CHF: 1.5 });
