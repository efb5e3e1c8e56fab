// @ts-check
// @group long: follows the calls of every exported function
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { entrySources, undocumentedThrows } from './throws.mjs';

/**
 * Only the check of names throws `ModelError`. A constant date has no names, so `evaluateDate` never throws this error.
 */
const impossible = ['libs/datapath/src/index.ts: evaluateDate throws ModelError'];

test('every exported function of a library names the errors that it throws', () => {
  assert.deepEqual(
    undocumentedThrows(entrySources()).filter((fault) => !impossible.includes(fault)),
    [],
  );
});

test('the check of thrown errors follows calls, and leaves out caught errors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throws-'));
  try {
    const file = join(folder, 'index.ts');
    writeFileSync(
      file,
      `export class CartError extends Error {}
const fail = (): never => { throw new CartError(); };
/** Adds. @throws {CartError} always */
export function documented(): void { fail(); }
export function undocumented(): void { [1].forEach(() => fail()); }
export const caught = (): void => { try { fail(); } catch { return; } };
export const later = () => ({ run: () => fail() });
export const plain = (): void => { throw new TypeError(); };
export class Cart { add(): void { fail(); } }
`,
    );
    assert.deepEqual(undocumentedThrows([file]), [
      `${file}: undocumented throws CartError`,
      `${file}: Cart.add throws CartError`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
