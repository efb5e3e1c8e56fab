import { message, type Message } from '@ats/message';
import { type LimitReason } from '../metrics/metrics.js';
import { Problem } from '../vocabulary/problem.js';
import { type LimitSettings } from './limit-settings.js';

/** The limit that a request exceeds, and the seconds until the request may be admitted. */
export interface Refusal {
  readonly reason: LimitReason;
  readonly retryAfterSeconds: number;
}

/** The 429 of a refused request. `limit` names the exceeded limit. Source: docs/reference/limits.md. */
export const limitProblem = (refusal: Refusal, settings: LimitSettings): Problem =>
  new Problem(429, textOf(refusal, settings), {
    headers: { 'retry-after': String(refusal.retryAfterSeconds) },
    details: { limit: refusal.reason },
  });

function textOf({ reason, retryAfterSeconds: retry }: Refusal, settings: LimitSettings): Message {
  const { rate, concurrency, databaseMs, bytes } = settings;
  const window = settings.windowMs / 1_000;
  switch (reason) {
    case 'rate':
      return message`Too many requests: the limit is ${rate} in ${window} s, try again in ${retry} s`;
    case 'concurrency':
      return message`Too many concurrent requests: the limit is ${concurrency}, try again when one of them is answered`;
    case 'connections':
      return message`Too many slow requests: try again when one of them is answered`;
    case 'database_time':
      return message`Too much database time: the limit is ${databaseMs} ms in ${window} s, try again in ${retry} s`;
    case 'bytes':
      return message`Too many bytes: the limit is ${bytes / 1024 ** 2} MiB in ${window} s, try again in ${retry} s`;
    case 'authentication':
      return message`Too many requests without valid credentials from this IP address: try again in ${retry} s`;
    case 'address':
      return message`Too many requests from this IP address: try again in ${retry} s`;
  }
}
