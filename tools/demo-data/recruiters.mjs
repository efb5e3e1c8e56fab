// @ts-check
import { BEGINNING, DAY, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';
import { cultureChoices, personName } from './names.mjs';
import { Random } from './random.mjs';

const titles = [
  'Recruiter',
  'Recruiter',
  'Senior Recruiter',
  'Talent Acquisition Partner',
  'Head of Recruiting',
  'Campus Recruiter',
];

/**
 * Returns the ids of the first recruiters.
 * @param {number} count
 */
export const recruiterIds = (count) => Array.from({ length: count }, (_, index) => FIRST_ID + index);

/**
 * Yields the rows of recruiters in the table of users.
 * @param {number} count
 */
export function* recruiterRows(count) {
  const random = new Random('recruiters');
  for (const [index, id] of recruiterIds(count).entries()) {
    random.restart(index);
    const uuid = random.uuid();
    const culture = random.weighted(cultureChoices);
    const { firstname, lastname, latin } = personName(culture, random);
    const created = timestamp(BEGINNING - random.between(10, 900) * DAY);
    const email = `${latin}${index < 8 ? '' : index}@example.org`;
    // The last recruiter is inactive.
    yield [
      id,
      uuid,
      created,
      created,
      'recruiter',
      'active',
      culture.language ?? 'en',
      firstname,
      lastname,
      email,
      null,
      null,
      null,
      null,
      null,
      null,
      [],
      random.pick(titles),
      index < count - 1,
    ];
  }
}
