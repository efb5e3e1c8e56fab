import { expect, test } from '@jest/globals';
import { EVENT_STREAM } from '../feeds/event-stream.js';
import { VERSIONS } from '../versions/versions.js';
import { parametersOf } from './parameters.js';
import { type DescribedRoute } from './routes.js';

const namesOf = (answer: object): readonly unknown[] => {
  const operation = { answer: { status: 200, description: 'The answer.', ...answer } };
  const route = { path: '/api/v1/changes', method: 'get', isPublic: false, operation } as unknown as DescribedRoute;
  return parametersOf(route, VERSIONS.default).map(({ name }) => name);
};

test('only an operation with a stream of events has the parameter Last-Event-ID', () => {
  const others = ['Api-Version', 'Accept-Language'];
  expect(namesOf({ text: EVENT_STREAM })).toEqual(['Last-Event-ID', ...others]);
  expect(namesOf({ text: 'text/csv' })).toEqual(others);
  expect(namesOf({})).toEqual(others);
});
