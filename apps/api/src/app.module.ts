import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { entitySchemas, migrations } from '@ats/domain';
import { DatabaseModule, EnvironmentModule, TracingModule } from '@ats/nest-app';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { type AppOptions } from './request/app-options.js';
import { CollectionsModule } from './collections/collections.module.js';
import { type Environment } from './config/env.js';
import { RedisModule } from './config/redis.module.js';
import { limitSettings } from './limits/limit-settings.js';
import { LimitsModule } from './limits/limits.module.js';
import { RequestModule } from './request/request.module.js';

const FOLDER = import.meta.dirname;
/**
 * The folders with the modules that every request needs. `AppModule` imports these modules by name, before all others.
 */
const SHARED_FOLDERS = ['collections', 'config', 'limits', 'request'];
/** Matches sources and build output, but not declarations (`.d.ts`). */
const MODULE = /^[a-z-]+\.module\.(js|ts)$/;

const load = createRequire(import.meta.url);

/** Finds the modules in the folders below `src`, so that a new module needs no list entry. */
export function findModules(): readonly Type[] {
  const folders = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SHARED_FOLDERS.includes(entry.name))
    .map(({ name }) => join(FOLDER, name));
  return folders.sort().flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => MODULE.test(name))
      .sort()
      .map((name) => {
        const [found, ...others] = Object.values(load(join(folder, name)) as Record<string, Type>);
        if (!found || others.length > 0) throw new Error(`${name} must export one module and nothing else`);
        return found;
      }),
  );
}

@Module({})
export class AppModule {
  static with(environment: Environment, options: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        EnvironmentModule.with(environment),
        TracingModule.with({ serviceName: 'ats-api', require: load }),
        DatabaseModule.with({
          applicationName: 'ats-api',
          readShare: limitSettings(environment).readShare,
          entities: entitySchemas(),
          migrations,
        }),
        RedisModule,
        LimitsModule,
        RequestModule.with(options),
        CollectionsModule,
        ...findModules(),
      ],
    };
  }
}
