import { type LimitReason } from '../metrics/metrics.js';
import { type AdmissionReply, VERDICT } from './limit-scripts.js';
import { type LimitSettings } from './limit-settings.js';
import { secondsOf } from './rate-limit-state.js';

/** The state of a limit with a window, as the headers show it. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the end of the window, at least 1. */
  readonly resetSeconds: number;
}

/** The names of the limits that have a window, as in the metrics. */
export type WindowedLimit = Extract<LimitReason, 'rate' | 'database_time' | 'bytes'>;

/** Maps each limit that is on to its state. A limit that is off is absent. */
export type LimitStates = Readonly<Partial<Record<WindowedLimit, LimitState>>>;

export const REASONS: Readonly<Record<number, LimitReason>> = {
  [VERDICT.overRate]: 'rate',
  [VERDICT.overConcurrency]: 'concurrency',
  [VERDICT.overDatabaseTime]: 'database_time',
  [VERDICT.overBytes]: 'bytes',
};

/** Returns the reply that Redis would give if all windows began with the current request. */
export const newWindows = ({ windowMs }: LimitSettings): AdmissionReply => [
  VERDICT.admitted,
  1,
  windowMs,
  0,
  0,
  windowMs,
];

/** Returns the reply that Redis would give `ms` milliseconds later, if no further request was counted. */
export function later(reply: AdmissionReply, ms: number, { windowMs }: LimitSettings): AdmissionReply {
  const [verdict, used, leftMs, databaseUs, bytes, budgetLeftMs] = reply;
  const rate = leftMs > ms ? ([used, leftMs - ms] as const) : ([0, windowMs] as const);
  const budgets = budgetLeftMs > ms ? ([databaseUs, bytes, budgetLeftMs - ms] as const) : ([0, 0, windowMs] as const);
  return [verdict, ...rate, ...budgets];
}

/** Returns the milliseconds until a new window begins for the limit that refused the request. */
export const leftOf = ([verdict, , leftMs, , , budgetLeftMs]: AdmissionReply): number =>
  verdict === VERDICT.overRate ? leftMs : budgetLeftMs;

export function statesOf(
  [, used, leftMs, databaseUs, bytes, budgetLeftMs]: AdmissionReply,
  settings: LimitSettings,
): LimitStates {
  const state = (limit: number, spent: number, ms: number): LimitState => ({
    limit,
    remaining: Math.max(0, Math.floor(limit - spent)),
    resetSeconds: secondsOf(ms),
  });
  const { rate, databaseMs } = settings;
  return {
    ...(rate > 0 && { rate: state(rate, used, leftMs) }),
    ...(databaseMs > 0 && { database_time: state(databaseMs, databaseUs / 1_000, budgetLeftMs) }),
    ...(settings.bytes > 0 && { bytes: state(settings.bytes, bytes, budgetLeftMs) }),
  };
}
