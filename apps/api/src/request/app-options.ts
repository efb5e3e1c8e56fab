import { type Certificate } from '@ats/nest-app';
import { type AuditOptions } from '../audit/audit-log.js';

/** Options of the app that do not come from the environment. */
export interface AppOptions extends AuditOptions {
  /**
   * True when all minor versions are served, which is the default. Benchmarks set it to false to measure the cost of
   * versions. Only the newest minor version is then served.
   */
  readonly versioning?: boolean;
  /** The certificate of the app. With a certificate the app serves HTTPS, otherwise HTTP. */
  readonly certificate?: Certificate | undefined;
  /** The folder of the documentation site. Defaults to the folder that `apps/docs` builds. */
  readonly siteFolder?: string;
  /** The folder of the console. Defaults to the folder that `apps/console` builds. */
  readonly consoleFolder?: string;
}
