import { afterEach, expect } from '@jest/globals';
import { moveClock } from '@ats/domain/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Environment } from '../src/config/env.js';
import { eventually } from './eventually.js';
import { type MailRow, readMails } from './mail-fixtures.js';
import { type MailServer, useMailServer } from './mail-server.js';
import { type Stage, useStage } from './running-notifier.js';

/** Timeout of expectations in ms. It is long enough for a busy machine. */
export const PATIENCE_MS = 100_000;

/** Returns the settings of a notifier that sends its e-mails through this server. */
export const sendingBy = (
  { port }: { readonly port: number },
  login: { user: string; password: string } | null = null,
): Partial<Environment> => ({
  SMTP_URL: { host: '127.0.0.1', port, isSecure: false, login },
});

/** Waits until the metrics of a notifier match. A metric may change later than the row that it counts. */
export const counts = (app: NestFastifyApplication, ...metrics: readonly RegExp[]): Promise<void> =>
  eventually(async () => {
    const text = await get(app, '/metrics');
    for (const metric of metrics) expect(text).toMatch(metric);
  });

/** Sends a GET request to a notifier and returns the body of the answer. */
export const get = async (app: NestFastifyApplication, path: string): Promise<string> =>
  (await app.getHttpAdapter().getInstance().inject(path)).payload;

export interface Mailing {
  readonly stage: Stage;
  readonly server: MailServer;
  /** Starts a notifier that sends through `server`. */
  readonly start: (changes?: Partial<Environment>) => Promise<NestFastifyApplication>;
  /** Waits until the rows of the e-mails have the values of `rows`. Both lists are in the order of the ids. */
  readonly becomes: (...rows: readonly Partial<MailRow>[]) => Promise<void>;
  /**
   * Moves the clock past the next attempt of a schedule with delays of one minute. The step of 73 s is longer than a
   * minute with jitter.
   */
  readonly passSchedule: () => Promise<void>;
}

/** Gives a spec file a database with a movable clock, a mail server, and notifiers that stop after each test. */
export function useMailing(): Mailing {
  const stage = useStage({ hasMovableClock: true });
  const server = useMailServer();
  afterEach(async () => {
    await stage.stopNotifiers();
    await stage.reset();
    await stage.redis.flushdb();
  });
  return {
    stage,
    server,
    start: (changes = {}) => stage.start({ ...sendingBy(server), ...changes }),
    becomes: (...rows) =>
      eventually(async () => expect(await readMails(stage.database)).toMatchObject(rows), PATIENCE_MS),
    passSchedule: () => moveClock(stage.database, 73_000),
  };
}
