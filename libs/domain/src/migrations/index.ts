import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type MigrationInterface } from 'typeorm';

/** The class of a migration. It is named after its file: `AddTraces1795220700000` in `1795220700000-add-traces.ts`. */
export type Migration = new () => MigrationInterface;

const FOLDER = import.meta.dirname;
/**
 * Matches the file names of migrations in the source and in the build output. It matches neither declarations (`.d.ts`)
 * nor this file.
 */
const FILE = /^\d{13}-[a-z0-9-]+\.(js|ts)$/;

/** Loads all migrations of the folder. So a new migration needs a new file and no other change. */
function findMigrations(): readonly Migration[] {
  const load = createRequire(import.meta.url);
  const files = readdirSync(FOLDER).filter((name) => FILE.test(name));
  return files.sort().map((name) => {
    const [migration, ...others] = Object.values(load(join(FOLDER, name)) as Record<string, Migration>);
    if (!migration || others.length > 0) throw new Error(`${name} must export one class and nothing else`);
    return migration;
  });
}

/** Every migration, oldest first. A released migration is never changed. */
export const migrations = findMigrations();
