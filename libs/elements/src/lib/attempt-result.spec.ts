import { expect, it } from '@jest/globals';
import { resultText } from './attempt-result.js';

const attempt = { attempt: 1, at: '', reason: 'auto', url: '', duration_ms: 1, response_excerpt: null } as const;
type Result = Parameters<typeof resultText>[1];

it.each<[Result['status_code'], Result['error'], string]>([
  [204, null, '204'],
  [500, 'status', '500'],
  [null, 'timeout', 'Keine rechtzeitige Antwort'],
  [200, 'rejected', '200 Abgewiesen'],
  [null, 'unheard_of' as 'failed', 'unheard_of'],
])('resultText describes an attempt with the status %s and the cause %s', (status_code, error, text) =>
  expect(resultText('de', { ...attempt, status_code, error })).toBe(text),
);
