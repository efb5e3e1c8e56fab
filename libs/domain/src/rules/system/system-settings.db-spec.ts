import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { systems } from '../../objects/system.model.js';
import { readItem } from '../../reading/read-item.js';
import { entitySchemas } from '../../writing/entities.js';
import { applyFirstSettings, type FirstSettings, replaceSystem } from './system-settings.js';

const own = useTestDatabase({ entities: entitySchemas() });
const INITIAL = { name: 'Recruitment', timezone: 'UTC', default_language: 'en', environment: 'production' };
const settings = { baseUrl: 'https://Jobs.example.com:8443/recruiting', language: 'en' };

beforeEach(() =>
  own.database.query(
    `UPDATE systems SET name = 'Recruitment', timezone = 'UTC', default_language = 'en', environment = 'production',
       domain = 'localhost.localdomain', changed_settings = '{}'`,
  ),
);

const apply = (given: FirstSettings): Promise<readonly string[]> =>
  own.database.transaction((transaction) => applyFirstSettings(transaction, given));
const read = async (baseUrl = settings.baseUrl): Promise<Record<string, unknown>> => {
  const text = await own.database.transaction((transaction) =>
    readItem(transaction, systems, 1, { ...settings, baseUrl }),
  );
  return JSON.parse(text) as Record<string, unknown>;
};
const replace = (body: object): Promise<readonly string[]> =>
  own.database.transaction((transaction) =>
    replaceSystem(transaction, { id: 1, body: { ...INITIAL, ...body } }, settings),
  );
const violationsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => [],
    (error: { violations?: readonly { path: string; code: string }[] }) =>
      error.violations?.map(({ path, code }) => `${code} ${path}`),
  );

describe('applyFirstSettings', () => {
  it('sets every given setting once, and changes nothing the second time', async () => {
    const given = { name: 'Careers', timezone: 'Asia/Tokyo', default_language: 'de', environment: 'staging' };
    expect(await apply(given)).toEqual(Object.keys(given));
    const first = await read();
    expect(first).toMatchObject(given);
    expect(await apply(given)).toEqual([]);
    expect(await apply({ ...given, name: 'Other', timezone: 'UTC' })).toEqual([]);
    expect(await read()).toEqual(first);
  });

  it('leaves a setting at its initial value when none is given, and sets it in the first call that gives one', async () => {
    expect(await apply({})).toEqual([]);
    expect(await read()).toMatchObject(INITIAL);
    await apply({ timezone: 'Europe/Berlin' });
    await apply({ timezone: 'Europe/Paris', name: 'Careers' });
    expect(await read()).toMatchObject({ ...INITIAL, timezone: 'Europe/Berlin', name: 'Careers' });
  });

  it('never overwrites a setting that was changed by API, even one with its first value', async () => {
    await replace({ timezone: 'Asia/Tokyo', name: 'By API' });
    await replace({ timezone: 'UTC', name: 'By API' });
    expect(await apply({ timezone: 'Europe/Berlin', name: 'Careers', environment: 'staging' })).toEqual([
      'environment',
    ]);
    expect(await read()).toMatchObject({ timezone: 'UTC', name: 'By API', environment: 'staging' });
  });

  it.each(['europe/berlin', 'Mars/Olympus', '+01:00'])(
    'rejects the time zone %s, which PostgreSQL lacks',
    async (zone) => {
      await expect(apply({ timezone: zone, name: 'Careers' })).rejects.toThrow('SYSTEM_TIME_ZONE');
      expect(await read()).toMatchObject(INITIAL);
    },
  );
});

describe('the domain of the system', () => {
  it.each([
    ['https://Jobs.example.com:8443/recruiting', 'jobs.example.com'],
    ['http://localhost:3000', 'localhost'],
    ['http://10.1.2.3', '10.1.2.3'],
    ['http://[::1]:3000/x', '[::1]'],
    ['HTTPS://a.example', 'a.example'],
  ])('is the host of the base URL %s by default', async (baseUrl, domain) => {
    expect((await read(baseUrl))['domain']).toBe(domain);
  });

  it('stays the default when a client writes the default, and otherwise stays as it was written', async () => {
    for (const domain of [undefined, 'jobs.example.com']) {
      await replace({ domain });
      expect((await read('https://other.example'))['domain']).toBe('other.example');
    }
    await replace({ domain: 'Careers.Example.org' });
    expect((await read('https://other.example'))['domain']).toBe('Careers.Example.org');
    await replace({});
    expect((await read())['domain']).toBe('jobs.example.com');
  });

  it.each(['localhost', 'a..b', '10.1.2.3', 'x y.example', '-a.example', 'a.example.', 'jobs.example.com:80'])(
    'cannot be %j, which is not fully qualified',
    async (domain) => {
      expect(await violationsOf(replace({ domain, timezone: 'europe/berlin' }))).toEqual([
        'invalid /domain',
        'invalid /timezone',
      ]);
    },
  );
});
