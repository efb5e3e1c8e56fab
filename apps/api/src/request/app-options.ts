import { type Certificate } from '@ats/nest-app';

/** Options of the app besides its environment. */
export interface AppOptions {
  /**
   * Defaults to true. Benchmarks set it to false, which serves the newest minor version only, so that they can measure the cost of
   * versions.
   */
  readonly versioning?: boolean;
  /** Defaults to true. Benchmarks set it to false, so that they can measure the cost of the audit log. */
  readonly isAudited?: boolean;
  /** Time in ms within which equal refusals are one entry of the audit log. Defaults to a minute. */
  readonly refusalWindowMs?: number;
  /** With a certificate, the app serves HTTPS, otherwise HTTP. */
  readonly certificate?: Certificate | undefined;
}
