import { describe, expect, it } from '@jest/globals';
import { API_PREFIX } from '../vocabulary/resource-url.js';
import { objectType } from '../vocabulary/object-type.js';
import { allResources, getResource, resource } from '../vocabulary/resource.js';
import { EVENT_ROOTS } from './event-types.js';
import { getObjectType, objectModel } from './object-model.js';

const BASE_URL = 'https://ats.example.com';
const paths = allResources().flatMap((one) => one.paths);
const context = { baseUrl: BASE_URL, now: new Date(), timeZone: 'UTC', language: 'en', defaultLanguage: 'en' };

describe('the object model', () => {
  it('has the types of all model files, by name', () => {
    const names = objectModel.types.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(['candidate', 'form_validation', 'posting', 'scoring_rule']));
    expect(names).toEqual(expect.arrayContaining(Object.values(EVENT_ROOTS)));
  });

  it('has the target of every relation', () => {
    const targets = objectModel.types.flatMap(({ relations }) => Object.values(relations).map(({ target }) => target));
    expect(targets.filter((target) => !objectModel.type(target))).toEqual([]);
  });

  it('rejects a second type or resource with the same name', () => {
    expect(() => objectType({ name: 'posting', properties: {} })).toThrow('the object type posting is described twice');
    const { type, describe: texts } = getResource('postings');
    expect(() => resource({ name: 'postings', type, describe: texts })).toThrow(
      'the resource postings is described twice',
    );
  });

  it('throws for the name of an unknown type or resource', () => {
    expect(() => getObjectType('unknown')).toThrow('the object model has no object type unknown');
    expect(() => getResource('unknown')).toThrow('there is no resource unknown');
  });
});

describe.each(allResources().map((one) => [one.name, one] as const))('the resource %s', (_, { type, ...one }) => {
  it('has a scope that is among the scopes of its object type', () => {
    expect(type.scopes).toContain(one.scope);
  });

  it('has item URLs below the path of a resource', () => {
    const values = [
      {},
      ...Object.entries(type.attributes).flatMap(([name, { values: all = [] }]) =>
        all.map((value) => ({ [name]: value })),
      ),
    ];
    const urls = values
      .map((value) => type.attributes['url']?.memory({ id: 7, ...value }, context))
      .filter((url): url is string => typeof url === 'string');
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(paths).toContain(url.slice(`${BASE_URL}${API_PREFIX}/`.length).split('/')[0]);
  });

  it('describes the error code in_use when other rows can prevent a deletion', () => {
    if (one.usedBy) expect(type.errorCodes).toHaveProperty('in_use');
  });
});
