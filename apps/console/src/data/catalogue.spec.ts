import { expect, it } from '@jest/globals';
import { type Scopes } from '@ats/client';
import { operationsOf } from './catalogue.js';

const HISTORY = 'GET /api/v1/applications/{id}/history';
const CHANGES = 'GET /api/v1/changes';
const scope = (name: string, ...operations: string[]) =>
  ({ scope: name, description: '', includes: [], operations }) as unknown as Scopes;
const SCOPES = [
  scope('applications:read', HISTORY, CHANGES),
  scope('history:read', HISTORY),
  scope('vacancies:read', CHANGES),
];
const mayCall = (operation: string, ...granted: string[]): boolean => {
  const [method = '', path = ''] = operation.split(' ');
  return operationsOf(SCOPES, (one) => granted.includes(one))(method, path);
};

it('the operation that reads a history needs all scopes that name it', () => {
  expect(mayCall(HISTORY, 'applications:read')).toBe(false);
  expect(mayCall(HISTORY, 'history:read')).toBe(false);
  expect(mayCall(HISTORY, 'applications:read', 'history:read')).toBe(true);
});

it('every other operation needs one of the scopes that name it, and no scope when none names it', () => {
  expect(mayCall(CHANGES)).toBe(false);
  expect(mayCall(CHANGES, 'vacancies:read')).toBe(true);
  expect(mayCall('GET /api/v1/scopes')).toBe(true);
});
