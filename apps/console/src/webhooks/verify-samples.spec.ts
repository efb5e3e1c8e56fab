import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { VERIFY_PYTHON, VERIFY_TYPESCRIPT } from './verify-samples.js';

test('the Python sample that verifies a message is the function in the README of @ats/webhook-signing', () => {
  const readme = readFileSync(join(__dirname, '../../../../libs/webhook-signing/README.md'), 'utf8');
  const [, code = ''] = /```python\n[^]*?(def is_genuine[^]*?)```/.exec(readme) ?? [];
  expect(code).toContain('compare_digest');
  expect(VERIFY_PYTHON).toContain(code.trimEnd());
});

test('the TypeScript and Python samples verify the raw body', () => {
  for (const sample of [VERIFY_PYTHON, VERIFY_TYPESCRIPT]) expect(sample).toMatch(/bytes of the request/);
});
