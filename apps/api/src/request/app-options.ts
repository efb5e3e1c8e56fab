import { type Certificate } from '@ats/nest-app';
import { type AuditOptions } from '../audit/audit-log.js';

/** Options of the app besides its environment. */
export interface AppOptions extends AuditOptions {
  /**
   * Defaults to true. Benchmarks set it to false, which serves the newest minor version only, so that they can measure the cost of
   * versions.
   */
  readonly versioning?: boolean;
  /** With a certificate, the app serves HTTPS, otherwise HTTP. */
  readonly certificate?: Certificate | undefined;
  /** The folder of the documentation site. Defaults to the folder that `apps/docs` builds. */
  readonly siteFolder?: string;
  /** The folder of the console. Defaults to the one that `apps/console` builds. */
  readonly consoleFolder?: string;
}
