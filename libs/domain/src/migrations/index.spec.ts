import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { migrations } from './index.js';

const files = readdirSync(__dirname).filter((name) => /^\d+-.*\.ts$/.test(name));

/** Returns the class name for the name of a file: `AddTraces1795220700000` for `1795220700000-add-traces.ts`. */
function classNameOf(file: string): string {
  const [time = '', ...words] = file.replace('.ts', '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + time;
}

describe('migrations', () => {
  it('include every file of the folder, oldest first, and each class is named after its file', () => {
    expect(files.length).toBeGreaterThanOrEqual(30);
    expect(migrations.map(({ name }) => name)).toEqual(files.sort().map(classNameOf));
  });

  it.each(files)('%s imports only TypeORM, so that later code changes cannot affect it', (file) => {
    const text = readFileSync(join(__dirname, file), 'utf8');
    const imported = [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
    expect(imported).toEqual(['typeorm']);
  });
});
