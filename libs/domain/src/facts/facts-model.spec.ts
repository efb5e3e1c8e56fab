import { DatapathCheckError } from '@ats/datapath';
import { describe, expect, it } from '@jest/globals';
import { EVENT_ROOTS, EVENT_TYPES } from '../objects/event-types.js';
import { isFact } from '../objects/is-fact.js';
import { getObjectType } from '../objects/object-model.js';
import { type Property } from '../vocabulary/object-type.js';
import { checkTopicExpression } from '../notification/topics/topic-expression.js';
import { standardDatapaths } from './read-datapaths.js';

interface Reached {
  readonly datapath: string;
  /** All relations of the datapath, and the property at its end. */
  readonly properties: readonly Property[];
}

/** Returns all datapaths from an object type to an attribute that follow at most `steps` relations. */
function datapathsFrom(type: string, steps: number): readonly Reached[] {
  return Object.entries(getObjectType(type).properties).flatMap(([name, property]): readonly Reached[] => {
    if (property.kind === 'attribute') return [{ datapath: name, properties: [property] }];
    if (steps === 0) return [];
    return datapathsFrom(property.target, steps - 1).map(({ datapath, properties }) => ({
      datapath: `${name}.${datapath}`,
      properties: [property, ...properties],
    }));
  });
}

const isExcluded = (property: Property): boolean =>
  !property.inFacts || (property.kind === 'attribute' && property.needsFurtherScopes);

describe.each([...new Set(Object.values(EVENT_ROOTS))])('snapshots of events about a %s', (root) => {
  const reached = datapathsFrom(root, 2);

  it('contain no excluded value and no value that needs further scopes', () => {
    const standard = new Set(standardDatapaths(root));
    const excluded = reached.filter(({ properties }) => properties.some(isExcluded));
    expect(excluded.filter(({ datapath }) => standard.has(`${root}.${datapath}`))).toEqual([]);
    expect(standard.size).toBeGreaterThan(8);
  });

  it('can store exactly the values that expressions can use', () => {
    const type = EVENT_TYPES.find((one) => EVENT_ROOTS[one] === root) ?? null;
    for (const { datapath, properties } of reached) {
      const isAllowed = !properties.some(isExcluded);
      expect([datapath, isFact(root, datapath)]).toEqual([datapath, isAllowed]);
      const check = (): unknown => checkTopicExpression(type, `${root}.${datapath} == NULL`);
      if (isAllowed) expect(check).not.toThrow();
      else expect(check).toThrow(DatapathCheckError);
    }
  });
});

it('snapshots of events exclude some values of subscriptions and deliveries', () => {
  expect(isFact('notification_delivery', 'body')).toBe(false);
  expect(isFact('notification_delivery', 'attempts.error')).toBe(false);
  expect(isFact('notification_delivery', 'subscription.topic.expression')).toBe(false);
  expect(isFact('notification_subscription', 'topic.expression')).toBe(false);
  expect(isFact('notification_subscription', 'endpoint.subscriptions.topic.description')).toBe(false);
  expect(isFact('notification_delivery', 'subscription.endpoint.subscriptions.id')).toBe(false);
});
