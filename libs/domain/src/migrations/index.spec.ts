import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { migrations } from './index.js';

const files = readdirSync(__dirname).filter((name) => /^\d+-.*\.ts$/.test(name));

/** `1795220700000-add-traces.ts` declares `AddTraces1795220700000`. */
function classNameOf(file: string): string {
  const [time = '', ...words] = file.replace('.ts', '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + time;
}

describe('migrations', () => {
  it('are all files of the folder, oldest first, each with a class named after its file', () => {
    expect(files.length).toBeGreaterThanOrEqual(30);
    expect(migrations.map(({ name }) => name)).toEqual(files.sort().map(classNameOf));
  });

  it.each(files)('%s imports TypeORM and nothing else, so that later changes of the code cannot change it', (file) => {
    const text = readFileSync(join(__dirname, file), 'utf8');
    const imported = [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
    expect(imported).toEqual(['typeorm']);
  });
});
