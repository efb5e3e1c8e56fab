export { DatabaseModule, type DatabaseModuleOptions } from './lib/database.module.js';
export { ENVIRONMENT, EnvironmentModule } from './lib/environment.module.js';
export {
  ALIVE,
  CHECK_RESULTS,
  CHECKS,
  HEALTH_STATUSES,
  type HealthChecks,
  type HealthStatus,
  type HealthWarning,
  type Liveness,
  NOT_READY,
  type Readiness,
  readinessOf,
  runHealthChecks,
  withinCheckTime,
} from './lib/health.js';
export { startApp, type StartOptions } from './lib/start-app.js';
export { type Certificate, readCertificate, shutdownSignals } from './lib/tls.js';
export { TracingModule } from './lib/tracing.module.js';
