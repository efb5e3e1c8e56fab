export { DatabaseModule, type DatabaseModuleOptions } from './lib/database.module.js';
export { ENVIRONMENT, EnvironmentModule } from './lib/environment.module.js';
export { startApp, type StartOptions } from './lib/start-app.js';
export { TracingModule } from './lib/tracing.module.js';
