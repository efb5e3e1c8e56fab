// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from '@ats/postgres';
import { Dice } from '../../test/dice.js';
import { useTestDatabase } from '../../test/test-database.js';
import { candidates } from '../objects/user.model.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { anonymiseCandidate } from './anonymise.js';
import { PersonValues } from './person-values.js';
import { type RemovalReport } from './removal-report.js';

/** The number of texts that contain a common name. */
const COUNT = 20_000;

const own = useTestDatabase({ entities: entitySchemas(), poolSize: 4 });

const addSelections = (name: string, count: number): Promise<unknown> =>
  own.database.query(
    `INSERT INTO selections (name, resource) SELECT replace($1, '#', n::text), 'applications'
     FROM generate_series(1, $2::integer) n`,
    [name, count],
  );

const addCandidate = (values: Readonly<Record<string, unknown>>): Promise<number> =>
  own.database.transaction((transaction) => insertObject(transaction, candidates, values));

const countSelections = async (pattern: string): Promise<number> => {
  const [row] = await own.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM selections WHERE name LIKE $1',
    [pattern],
  );
  return row?.count ?? 0;
};

/**
 * Anonymises a candidate.
 * @returns the report, and the number of rows that were read
 */
async function anonymise(id: number, isEverywhere: boolean): Promise<RemovalReport & { readonly rowsRead: number }> {
  let rowsRead = 0;
  const report = await own.database.transaction((transaction) => {
    const counting = new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'query') return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          const rows: unknown = await (value as (...given: unknown[]) => Promise<unknown>).apply(target, args);
          if (Array.isArray(rows)) rowsRead += Array.isArray(rows[0]) ? rows[0].length : rows.length;
          return rows;
        };
      },
    });
    return anonymiseCandidate(counting, id, { recruiterId: null, baseUrl: 'https://ats.example.com', isEverywhere });
  });
  return Object.assign(report, { rowsRead });
}

describe('anonymising a person whose first name is a common word', () => {
  let candidateId = 0;
  beforeAll(async () => {
    await addSelections('List # for Marlena', COUNT);
    await addSelections('Met MARLENA  Quillvex', 1);
    await addSelections('Mail to marlena.q@example.com', 1);
    await addSelections('Call +44 20 7946 0958, Marlena', 1);
    await own.database.query(
      `INSERT INTO notification_topics (type, name, expression)
       VALUES ('STATE_CHANGE_APPLICATION', 'Moves of Marlena', 'application.user.email == "marlena.q@example.com"')`,
    );
    candidateId = await addCandidate({
      firstname: 'Marlena',
      lastname: 'Quillvex',
      email: 'marlena.q@example.com',
      Phone: [{ Label: 'home', Number: '+44 20 7946 0958' }],
    });
  });

  it('reads few rows, and lists the texts with rarer values', async () => {
    const { remaining, tooManyIn, rowsRead } = await anonymise(candidateId, false);
    expect(remaining.map(({ resource, property }) => `${resource}${property}`).sort()).toEqual([
      'notification_topics/expression',
      'selections/name',
      'selections/name',
      'selections/name',
    ]);
    expect(tooManyIn).toEqual(['notification_topics', 'selections']);
    expect(rowsRead).toBeLessThan(2_000);
  });

  it('stores which resources have too many texts with the word', async () => {
    const { remaining, tooManyIn, removals } = await anonymise(candidateId, false);
    expect([remaining.length, tooManyIn, removals]).toEqual([4, ['notification_topics', 'selections'], []]);
  });

  it('replaces the rarer values in texts, and keeps the common word', async () => {
    const { remaining, tooManyIn, rowsRead } = await anonymise(candidateId, true);
    expect([remaining, tooManyIn]).toEqual([[], ['notification_topics', 'selections']]);
    expect(rowsRead).toBeLessThan(2_000);
    expect(await countSelections('List % for Marlena')).toBe(COUNT);
    expect(await countSelections('Met [anonymised]')).toBe(1);
    expect(await countSelections('Mail to [anonymised]')).toBe(1);
    expect(await countSelections('Call [anonymised], Marlena')).toBe(1);
    expect(await own.database.query('SELECT name, expression FROM notification_topics')).toEqual([
      { name: 'Moves of Marlena', expression: 'application.user.email == "[anonymised]"' },
    ]);
  });
});

describe('a value that identifies a person', () => {
  it('is found although longer words in many texts contain it', async () => {
    await addSelections('Plannaing #', COUNT);
    await addSelections('Call Nnai', 3);
    const id = await addCandidate({ firstname: 'Nnai', lastname: 'Brommel', email: 'nb@example.com' });
    const { remaining, tooManyIn, rowsRead } = await anonymise(id, true);
    expect([remaining, tooManyIn]).toEqual([[], []]);
    expect(rowsRead).toBeLessThan(500);
    expect(await countSelections('Call [anonymised]')).toBe(3);
  });

  it('that is one word is ignored in short texts such as locations', async () => {
    await own.database.query(
      `INSERT INTO opportunities (kind, title, location, state_id, process_id)
       SELECT 'vacancy', 'Clerk', 'Lisbonia', 302, 1 FROM generate_series(1, 1100)`,
    );
    await addSelections('For Lisbonia', 1);
    const id = await addCandidate({ firstname: 'Lisbonia', lastname: 'Kestrem', email: 'lk@example.com' });
    const { remaining, tooManyIn, rowsRead } = await anonymise(id, false);
    expect([remaining.map(({ resource }) => resource), tooManyIn]).toEqual([['selections'], []]);
    expect(rowsRead).toBeLessThan(500);
  });

  it.each([
    [1_000, []],
    [1_001, ['selections']],
  ])('in %i texts is reported as common: %j', async (count, tooManyIn) => {
    const firstname = `Zibble${'abcdefgh'[count - 1_000]}`;
    await addSelections(`Notes on ${firstname}`, count);
    const id = await addCandidate({ firstname, lastname: `${firstname}son`, email: `${firstname}@example.com` });
    const report = await anonymise(id, true);
    expect(report.tooManyIn).toEqual(tooManyIn);
    expect(await countSelections(`Notes on ${firstname}`)).toBe(tooManyIn.length > 0 ? count : 0);
  });

  it('that is not a single word is replaced in any number of texts', async () => {
    await addSelections('Ask wendeline@example.com #', 1_001);
    const id = await addCandidate({ firstname: 'Orsolia', lastname: 'Ostrik', email: 'wendeline@example.com' });
    const { remaining, tooManyIn } = await anonymise(id, true);
    expect([remaining, tooManyIn]).toEqual([[], []]);
    expect(await countSelections('Ask [anonymised] %')).toBe(1_001);
  });

  it('is found by SQL in every text in which it is found in memory', async () => {
    const dice = new Dice(20);
    const values = ['ann', 'zoe\u0308', 'o\'hara & "co"', 'i\u0307lker', '山田太郎', 'a.*(b', 'ada\nlovelace', 'σοφοσ'];
    const around = [...'ab9_ .,-<>&"\\/\'(é\u0301ⒶÄᾳ²ⅷ山ก\u00a0\u2007\ufeff\n\t\u0001'];
    const some = (): string => Array.from({ length: dice.below(4) }, () => dice.one(around)).join('');
    const cases = Array.from({ length: 5_000 }, () => {
      const value = dice.one(values);
      const written = dice.one([
        value,
        value.toUpperCase(),
        value.normalize('NFC'),
        value.replace(/\s/g, '\u00a0'),
        value.replace(/σ$/, 'ς'),
      ]);
      const text = `${some()}${written}${some()}`;
      return { value, text, isMention: new PersonValues([value]).spans(text).length > 0 };
    });
    let mentions = 0;
    for (const value of values) {
      const texts = cases.filter((one) => one.value === value && one.isMention).map(({ text }) => text);
      const { forms, words } = new PersonValues([value]).sql;
      const missed = await own.database.query(
        `SELECT text FROM (SELECT unnest($1::text[]) UNION ALL SELECT json_texts(jsonb_build_object('en', t))
           FROM unnest($1::text[]) t) texts(text)
         WHERE (mention_words(text) @@ mention_query($2) AND fold(text) COLLATE "und-x-icu" ~ ANY($3)) IS NOT TRUE`,
        [texts, forms, words],
      );
      expect(missed).toEqual([]);
      mentions += texts.length;
    }
    expect(mentions).toBeGreaterThan(1_000);
    expect(mentions).toBeLessThan(4_500);
  });
});

describe('the lock of the topic index', () => {
  it('is not held while texts are searched', async () => {
    await addSelections('Waits for Uxalia', 1);
    const id = await addCandidate({ firstname: 'Uxalia', lastname: 'Prindt', email: 'up@example.com' });
    let running: Promise<unknown> = Promise.resolve();
    await own.database.transaction(async (transaction) => {
      await transaction.query('LOCK TABLE selections IN ACCESS EXCLUSIVE MODE');
      running = anonymise(id, true);
      for (let isWaiting = false; !isWaiting; ) {
        const waiting = await own.database.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'selections'::regclass
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        isWaiting = waiting.length > 0;
      }
      expect(
        await transaction.query('SELECT pg_try_advisory_xact_lock_shared($1) AS is_free', [ADVISORY_LOCKS.topicIndex]),
      ).toEqual([{ is_free: true }]);
    });
    await running;
    expect(await countSelections('Waits for [anonymised]')).toBe(1);
  });
});
