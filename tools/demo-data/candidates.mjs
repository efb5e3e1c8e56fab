// @ts-check
import { date, DAY, MINUTE, NOW, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { cultureChoices, personName } from './names.mjs';
import { addressOf, phoneOf } from './places.mjs';
import { Random, weights, weightsOf } from './random.mjs';
import { boards, employer, fields, levels } from './work.mjs';

/**
 * Candidates and their tables. Each part of a candidate has a random stream of its own, so each table can be written
 * alone.
 */

const statuses = weightsOf({ active: 88, pending_activation: 10, disabled: 2 });
const sources = [
  ...boards.filter(({ isActive }) => isActive).map(({ source }) => source),
  'Referral',
  'Talent pool',
  null,
];
const titles = weights([
  [null, 92],
  ['Dr.', 6],
  ['Mx', 2],
]);
const moreTags = [
  'willing to relocate',
  'remote only',
  'talent pool',
  'silver medallist',
  'work permit needed',
  'returner',
];

/**
 * Derives the values of a candidate that several tables need.
 * @param {number} index
 * @param {Random} random
 */
function identityOf(index, random) {
  random.restart(index);
  const uuid = random.uuid();
  const culture = random.weighted(cultureChoices);
  const name = personName(culture, random);
  return {
    uuid,
    culture,
    country: random.pick(culture.countries),
    ...name,
    email: `${name.latin}${index + 1}@example.com`,
  };
}

/**
 * Returns the name by which a person is called: the first of two names, or the Latin spelling of a name in another
 * script.
 * @param {string} firstname
 * @param {string} latin
 */
function preferredName(firstname, latin) {
  if (/[- ]/.test(firstname)) return firstname.slice(0, firstname.search(/[- ]/));
  return /^\p{Script=Latin}/u.test(firstname) ? null : latin[0].toUpperCase() + latin.slice(1, latin.indexOf('.'));
}

/**
 * Returns the tags of a candidate, and the time when further tags were added.
 * @param {import('./plan.mjs').Plan} plan
 * @param {number} index
 * @param {Random} random
 */
function taggingOf(plan, index, random) {
  random.restart(index);
  const tags = [
    ...random.some(fields[plan.fields[index]].skills, random.between(0, 3)),
    ...(random.chance(0.2) ? [random.pick(moreTags)] : []),
  ];
  const at = plan.arrivals[index] + Math.floor(random.float() * 40 * DAY);
  const isLater = tags.length > 0 && random.chance(0.3) && at < NOW;
  return { tags, taggedAt: isLater ? at : null };
}

/**
 * Returns the creation time of a candidate, shortly before the first application.
 * @param {import('./plan.mjs').Plan} plan
 * @param {number} index
 */
const createdAt = (plan, index) => plan.arrivals[index] - 2 * MINUTE;

/**
 * Yields the rows of candidates in the table of users.
 * @param {import('./plan.mjs').Plan} plan
 * @param {number} firstId
 */
export function* candidateRows(plan, firstId) {
  const [names, work, tagging] = [
    new Random('candidates'),
    new Random('candidates at work'),
    new Random('candidate tags'),
  ];
  for (let index = 0; index < plan.arrivals.length; index++) {
    const { uuid, culture, firstname, lastname, latin, email } = identityOf(index, names);
    const { tags, taggedAt } = taggingOf(plan, index, tagging);
    work.restart(index);
    const { roles, hasLevels } = fields[plan.fields[index]];
    const isEmployed = work.chance(0.75);
    const currentTitle = `${hasLevels ? work.pick(levels)[0] : ''}${work.pick(roles)}`;
    const created = createdAt(plan, index);
    yield [
      firstId + index,
      uuid,
      timestamp(created),
      timestamp(taggedAt ?? created),
      'candidate',
      work.weighted(statuses),
      culture.language ?? work.pick([null, 'en']),
      firstname,
      lastname,
      email,
      work.weighted(titles),
      work.chance(0.4) ? preferredName(firstname, latin) : null,
      work.chance(0.6) ? date(Date.UTC(1962, 0, 1) + work.between(0, 44 * 365) * DAY) : null,
      isEmployed ? employer(work) : null,
      isEmployed || work.chance(0.5) ? currentTitle : null,
      work.pick(sources),
      tags,
      null,
      true,
    ];
  }
}

/**
 * @typedef {(index: number, random: Random) => (readonly (string | null)[])[]} Elements rows of one candidate, each
 *   starting with the label
 */

/**
 * Yields the rows of a table that belongs to candidates.
 * @param {import('./plan.mjs').Plan} plan
 * @param {number} firstId
 * @param {string} stream
 * @param {Elements} elementsOf
 */
function* elementRows(plan, firstId, stream, elementsOf) {
  const random = new Random(stream);
  let id = FIRST_ID;
  for (let index = 0; index < plan.arrivals.length; index++) {
    for (const [position, element] of elementsOf(index, random.restart(index)).entries()) {
      yield [id++, firstId + index, position, ...element];
    }
  }
}

/**
 * Yields the rows of the candidates' e-mail addresses.
 * @param {import('./plan.mjs').Plan} plan @param {number} firstId
 */
export function emailRows(plan, firstId) {
  const names = new Random('candidates');
  return elementRows(plan, firstId, 'emails', (index, random) => {
    const { latin, email } = identityOf(index, names);
    return [
      ['primary', email],
      ...(random.chance(0.15) ? [['secondary', `${latin}@mail.example.org`]] : []),
      ...(random.chance(0.1) ? [['work', `${latin[0]}.${latin.slice(latin.indexOf('.') + 1)}@work.example.com`]] : []),
    ];
  });
}

/**
 * Yields the rows of the candidates' postal addresses.
 * @param {import('./plan.mjs').Plan} plan @param {number} firstId
 */
export function addressRows(plan, firstId) {
  const names = new Random('candidates');
  return elementRows(plan, firstId, 'addresses', (index, random) => {
    const code = identityOf(index, names).country;
    const address = (/** @type {string} */ label) => [label, ...addressOf(code, random)];
    if (random.chance(0.06)) return [];
    return [address('home'), ...(random.chance(0.12) ? [address(random.chance(0.5) ? 'correspondence' : 'term')] : [])];
  });
}

/**
 * Yields the rows of the candidates' telephone numbers.
 * @param {import('./plan.mjs').Plan} plan @param {number} firstId
 */
export function phoneRows(plan, firstId) {
  const names = new Random('candidates');
  return elementRows(plan, firstId, PHONES, (index, random) => phonesOf(identityOf(index, names).country, random));
}

const PHONES = 'phones';

/**
 * Draws the telephone numbers of a candidate.
 * @param {string} country @param {Random} random @returns {[label: string, number: string][]}
 */
const phonesOf = (country, random) => [
  ...(random.chance(0.9) ? [phone('mobile', phoneOf(country, 'mobile', random))] : []),
  ...(random.chance(0.25) ? [phone(random.chance(0.7) ? 'home' : 'work', phoneOf(country, 'landline', random))] : []),
];

/**
 * Pairs a label with a telephone number.
 * @param {string} label @param {string} number @returns {[label: string, number: string]}
 */
const phone = (label, number) => [label, number];

/**
 * The contact data of a candidate.
 * @typedef {{ firstname: string, email: string, mobile: string | undefined }} Contact
 */

/**
 * Returns a function that derives the contact data of a candidate.
 * @returns {(index: number) => Contact}
 */
export function contactReader() {
  const [names, phones] = [new Random('candidates'), new Random(PHONES)];
  return (index) => {
    const { firstname, email, country } = identityOf(index, names);
    return {
      firstname,
      email,
      mobile: phonesOf(country, phones.restart(index)).find(([label]) => label === 'mobile')?.[1],
    };
  };
}

/**
 * Yields the rows of the candidates' web addresses.
 * @param {import('./plan.mjs').Plan} plan @param {number} firstId
 */
export function urlRows(plan, firstId) {
  const names = new Random('candidates');
  return elementRows(plan, firstId, 'urls', (index, random) => {
    if (random.chance(0.4)) return [];
    const handle = `${identityOf(index, names).latin.replace('.', '-')}-${index + 1}`;
    return [
      ['linkedin', `https://profiles.example.com/${handle}`],
      ...(random.chance(0.3)
        ? [['portfolio', `https://${random.pick(['work', 'folio', 'code'])}.example.org/${handle}`]]
        : []),
      ...(random.chance(0.1) ? [['website', `https://${handle}.example.com`]] : []),
    ];
  });
}

/**
 * Yields the histories in the order of the candidates' creation.
 * @param {import('./plan.mjs').Plan} plan
 * @param {number} firstId
 * @returns {Iterable<import('./history.mjs').Past>}
 */
export function* candidatePasts(plan, firstId) {
  const tagging = new Random('candidate tags');
  for (let index = 0; index < plan.arrivals.length; index++) {
    const { tags, taggedAt } = taggingOf(plan, index, tagging);
    const subject = { subjectType: 'candidate', subjectId: firstId + index };
    const at = createdAt(plan, index);
    yield { at, entries: [{ ...subject, type: 'created', at }] };
    if (taggedAt !== null)
      yield {
        at,
        entries: [{ ...subject, type: 'field_change', at: taggedAt, changes: [{ path: '/tags', old: [], new: tags }] }],
      };
  }
}
