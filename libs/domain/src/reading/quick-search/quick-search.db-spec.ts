// @group sample: npm test runs a quarter of its tests
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { Database, type Transaction } from '@ats/postgres';
import { representationOf } from '../representation.js';
import { tableOf } from '../representation-sql.js';
import { entitySchemas } from '../../writing/entities.js';
import { QUICK_SEARCH_GROUPS, type QuickSearchGroup } from './groups.js';
import { type QuickSearchResult, quickSearchStatement } from './quick-search-statement.js';

const own = useTestDatabase({ entities: entitySchemas(), poolSize: 1 });
const settings = { baseUrl: 'https://ats.example', language: 'en' };
const PEOPLE = 6_000;

const groupOf = (name: string): QuickSearchGroup => {
  const found = QUICK_SEARCH_GROUPS.find((group) => group.name === name);
  if (!found) throw new Error(`there is no group ${name}`);
  return found;
};
const find = (name: string, text: string, limit = 10): Promise<QuickSearchResult[]> => {
  const { text: sql, parameters } = quickSearchStatement(groupOf(name), settings)(text, limit);
  return own.database.query<QuickSearchResult>(sql, parameters);
};
const words = async (text: string): Promise<string> =>
  (await own.database.query<{ words: string }>('SELECT search_words($1) AS words', [text]))[0]?.words ?? 'null';

/** Inserts many persons with the same name, and others whose names begin alike. */
beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (type, firstname, lastname, email)
     SELECT 'candidate', (ARRAY['Anna', 'Annika', 'Anneliese'])[n % 3 + 1], (ARRAY['Schmidt', 'Schmitt'])[n % 2 + 1],
       'test' || n || '@example.com' FROM generate_series(1, ${PEOPLE}) n`,
  );
  await own.database.query(
    `INSERT INTO users (type, firstname, lastname, email)
     VALUES ('candidate', 'Wilhelmina', 'Schmidt', 'test@example.com')`,
  );
  await own.database.query('ANALYZE');
});

describe('the SQL function search_words', () => {
  it.each([
    ['Jürgen Müller-Lüdenscheidt', 'jurgen muller ludenscheidt'],
    ["O'Brien d’Arcy", 'obrien darcy'],
    ['Weiß, Łukasz & Đức Ærø', 'weiss lukasz duc aero'],
    ['OPP-002538', 'opp 2538'],
    ['anna007', 'anna 7'],
    ['0 000 a0b00', '0 0 a 0 b 0'],
    ['ﬁne Ａｄａ', 'fine ada'],
    ['😀 %_\\', ''],
    ['', ''],
    [`${'a'.repeat(250)} b`, `${'a'.repeat(100)} b`],
  ])('converts %j to %j', async (text, expected) => {
    expect(await words(text)).toBe(expected);
  });

  it.each([
    ['accents and vowel signs', 'Ελένη', 'ελενη'],
    ['case', 'ЕЛЕНА', 'елена'],
    ['the form of a letter at the end of a word', 'ΠΑΠΑΣ', 'παπας'],
    ['the Unicode composition of letters', 'é각', 'e\u0301각'.normalize('NFD')],
    ['spaces between Chinese signs', '刘志强', '刘 志 强'],
  ])('ignores %s', async (_, left, right) => {
    expect(await words(left)).toBe(await words(right));
  });

  it.each(['محمد', 'Ελένη', '志强', 'דוד', 'ไทย', '𠀀𠀁', '김민준'])('extracts trigrams of %s', async (text) => {
    const [row] = await own.database.query<{ score: number }>(
      'SELECT similarity(search_words($1), search_words($1)) AS score',
      [text],
    );
    expect(row?.score).toBe(1);
  });

  it('limits the length of words that grow by Unicode normalisation, so that an index can store them', async () => {
    expect((await words('ﷺ'.repeat(5_000))).length).toBeLessThan(2_000);
  });
});

describe('the group of results', () => {
  it.each(QUICK_SEARCH_GROUPS.map((group) => [group.name, group] as const))(
    '%s shows only values of the representation of its items',
    (_, { resource, title, subtitle }) => {
      const shown = representationOf(resource.type).map(({ datapath }) => datapath);
      for (const datapath of [title, ...subtitle]) {
        const parts = datapath.endsWith('fullname')
          ? ['firstname', 'lastname'].map((name) => datapath.replace('fullname', name))
          : [datapath];
        for (const part of parts) expect(shown).toContain(part);
      }
    },
  );

  it.each(['candidates', 'vacancies', 'events', 'postings'])(
    '%s compares exactly the attributes that it names',
    async (name) => {
      const { resource, attributes } = groupOf(name);
      const texts = Object.entries(resource.type.attributes).filter(
        ([attribute, { column, type, many, values }]) =>
          column && type === 'text' && !many && !values && !['uuid', 'salary_currency'].includes(attribute),
      );
      const wordOf = (attribute: string): string => `zq${name}${attribute.replaceAll('_', '')}qz`;
      const columns = texts.map(([attribute, { column }]) => column?.name ?? attribute);
      const others: Record<string, Readonly<Record<string, string>>> = {
        vacancies: { kind: `'vacancy'` },
        events: { kind: `'event'`, start_dt: 'now()', end_dt: 'now()' },
        postings: {
          vacancy_id: `(SELECT max(id) FROM opportunities WHERE kind = 'vacancy')`,
          job_board_id: `(INSERTED)`,
          opening_date: `'2030-01-01'`,
        },
        candidates: { type: `'candidate'` },
      };
      const [board] = await own.database.query<{ id: number }>(
        `INSERT INTO job_boards (name, code) VALUES ('Board', 'board-' || gen_random_uuid()) RETURNING id`,
      );
      const states: Readonly<Record<string, string>> = ['vacancies', 'events'].includes(name)
        ? {
            state_id: `(SELECT min(s.id) FROM states s JOIN processes p ON p.id = s.process_id
              WHERE p.key = 'opportunity')`,
            process_id: `(SELECT id FROM processes WHERE key = 'main')`,
            system_id: '(SELECT min(id) FROM systems)',
          }
        : {};
      const given: Readonly<Record<string, string>> = { ...others[name], ...states };
      const values = Object.values(given).map((sql) => sql.replace('(INSERTED)', String(board?.id)));
      const placeholders = columns.map((_, index) => `$${index + 1}`);
      await own.database.query(
        `INSERT INTO ${tableOf(resource.type)} (${[...Object.keys(given), ...columns].join(', ')})
         VALUES (${[...values, ...placeholders].join(', ')})`,
        texts.map(([attribute]) => wordOf(attribute)),
      );
      const found = await Promise.all(
        texts.map(async ([attribute]) =>
          ((await find(name, wordOf(attribute)))[0]?.score ?? 0) > 0.75 ? attribute : undefined,
        ),
      );
      expect(found.filter(Boolean).sort()).toEqual([...attributes].sort());
    },
  );
});

describe('quick search among very many matches:', () => {
  it.each([
    ['the whole name', 'wilhelmina schmidt'],
    ['the address', 'test@example.com'],
    ['a part of the name', 'wilhel schmi'],
    ['a mistake', 'wilhelmnia schmidt'],
    ['two beginnings of two letters', 'sc wi'],
  ])('the intended person comes first when the query is %s', async (_, text) => {
    expect((await find('candidates', text))[0]).toMatchObject({
      title: 'Wilhelmina Schmidt',
      subtitle: 'test@example.com',
    });
  });

  it.each([
    'schmidt',
    'schmi',
    'an',
    'anna',
    'anna schmidt',
    'shcmidt',
    'ana schmid',
    'test',
    'test@example.com',
    'schmidt schmitt anna',
    'a b c d e',
    'a schmidt',
    'an sc',
    'a sc',
    'example.com',
  ])('%j reads few rows, and finds them in the index', async (text) => {
    for (const group of QUICK_SEARCH_GROUPS.filter(({ compared }) => tableOf(compared) === 'users')) {
      const nodes = await plan(group, text);
      const ofUsers = nodes.filter((node) => node['Relation Name'] === 'users');
      expect(ofUsers.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      const fetched = ofUsers.reduce((total, node) => total + node['Actual Rows'] * node['Actual Loops'], 0);
      expect(fetched).toBeLessThan(3_000);
      const compared = nodes.filter((node) => node['Subplan Name'] === 'CTE found').map((node) => node['Actual Rows']);
      expect(compared.length).toBe(1);
      expect(compared[0]).toBeLessThanOrEqual(100);
    }
  });

  it('words are neither completed nor corrected when all words match as they are', async () => {
    const nodes = await plan(groupOf('candidates'), 'wilhelmina schmidt');
    expect(nodes.filter((node) => node['Relation Name'] === 'quick_search_words' && node['Actual Loops'] > 0)).toEqual(
      [],
    );
  });
});

describe('a row of the table quick_search_words', () => {
  const known = async (): Promise<readonly string[]> =>
    (
      await own.database.query<{ word: string }>(
        `SELECT DISTINCT word FROM quick_search_words WHERE source = 'users' AND word LIKE 'qk%' ORDER BY 1`,
      )
    ).map(({ word }) => word);

  it('appears with the first person who has the word, and disappears with the last', async () => {
    const add = (firstname: string, email: string): Promise<unknown> =>
      own.database.query(
        `INSERT INTO users (type, firstname, lastname, email, preferred_name)
         VALUES ('candidate', $1, 'Qkname', $2, 'Qkpet')`,
        [firstname, email],
      );
    await add('Qkfirst', 'qka@example.com');
    await add('Qkother', 'qkb@example.com');
    expect(await known()).toEqual(['qka', 'qkb', 'qkfirst', 'qkname', 'qkother', 'qkpet']);
    await own.database.query(`UPDATE users SET lastname = 'Qkmarried' WHERE email = 'qka@example.com'`);
    expect(await known()).toEqual(['qka', 'qkb', 'qkfirst', 'qkmarried', 'qkname', 'qkother', 'qkpet']);
    await own.database.query(`UPDATE users SET status = 'anonymised' WHERE email = 'qka@example.com'`);
    expect(await known()).toEqual(['qkb', 'qkname', 'qkother', 'qkpet']);
    await own.database.query(`DELETE FROM users WHERE email LIKE 'qk%'`);
    expect(await known()).toEqual([]);
  });

  describe('during two concurrent writes', () => {
    const addWord = `INSERT INTO users (type, firstname, lastname, email)
      VALUES ('candidate', 'Two', 'Qkrare', 'qk' || $1 || '@example.com')`;
    const remove = `DELETE FROM users WHERE email = 'qk' || $1 || '@example.com'`;
    const anonymise = `UPDATE users SET status = 'anonymised' WHERE email = 'qk' || $1 || '@example.com'`;
    let other: Database;
    beforeAll(async () => {
      other = await Database.connect({ url: own.url, applicationName: 'other', poolSize: 1 });
    });
    afterEach(() => own.database.query(`DELETE FROM users WHERE email LIKE 'qk%'`));
    afterAll(() => other.close());

    const isWaiting = async (transaction: Transaction): Promise<boolean> => {
      const [row] = await transaction.query<{ is_waiting: boolean }[]>(
        `SELECT EXISTS (
           SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid) AS is_waiting`,
      );
      return row?.is_waiting ?? false;
    };
    /**
     * Runs the second statement while the transaction of the first statement is open. The first transaction commits
     * when the second statement has ended, or waits for the first transaction.
     */
    const overlap = async (first: readonly [string, string], second: readonly [string, string]): Promise<void> => {
      let written: Promise<unknown> = Promise.resolve();
      await own.database.transaction(async (transaction) => {
        await transaction.query(first[0], [first[1]]);
        let isDone = false;
        written = other.query(second[0], [second[1]]).then(() => (isDone = true));
        while (!isDone && !(await isWaiting(transaction))) await setTimeout(10);
      });
      await written;
    };

    it.each([
      ['anonymised', anonymise],
      ['deleted', remove],
    ])('a word disappears when the last two persons who have it are %s', async (_, gone) => {
      for (const name of ['a', 'b']) await own.database.query(addWord, [name]);
      await overlap([gone, 'a'], [gone, 'b']);
      expect(await known()).not.toContain('qkrare');
    });

    it('a word stays when it is added while the last person who has it is deleted', async () => {
      await own.database.query(addWord, ['a']);
      await overlap([remove, 'a'], [addWord, 'b']);
      expect(await known()).toContain('qkrare');
      await overlap([addWord, 'a'], [remove, 'b']);
      expect(await known()).toContain('qkrare');
    });
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs the statement for a text with its generic plan, and returns the nodes of that plan. */
async function plan(group: QuickSearchGroup, text: string): Promise<readonly PlanNode[]> {
  const { text: sql, parameters } = quickSearchStatement(group, settings)(text, 10);
  const values = parameters
    .map((value) => (typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`))
    .join(', ');
  return own.database.transaction(async (transaction) => {
    await transaction.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await transaction.query(`PREPARE explained AS ${sql}`);
    const [row] = await transaction.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained(${values})`,
    );
    await transaction.query('DEALLOCATE explained');
    const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
  });
}
