import { ACTIVATION_TOKEN_PURPOSE, SecretBox } from '@ats/domain';
import { Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { RedisConnections } from '@ats/redis-connection';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Environment } from '../config/env.js';
import { LOGGER } from '../config/logger.js';
import { type SmtpServer } from '../config/mail-variables.js';
import { Metrics } from '../counters/metrics.js';
import { LoopRunner, POLL_DUE } from '../loops/loop-runner.js';
import { type Pauses } from '../loops/poll-loop.js';
import { MailSignal } from '../loops/signals.js';
import { Watchdog } from '../loops/watchdog.js';
import { WorkerHeartbeat } from '../loops/worker-heartbeat.js';
import { Workers } from '../loops/workers.js';
import { BullWorker } from '../queues/bull-worker.js';
import { ConcurrencySlots } from '../queues/concurrency-slots.js';
import { JobDispatcher } from '../queues/job-dispatcher.js';
import { type QueueHandle, queueOptions } from '../queues/queues.js';
import { RedisCircuitBreaker } from '../queues/redis-circuit-breaker.js';
import { ActivationMails } from './activation-mail.js';
import { MailDuePoller } from './mail-due-poller.js';
import { MailMetrics } from './mail-metrics.js';
import { MailSender } from './mail-sender.js';
import { expireUnsentMails, MailSweeper } from './mail-sweeper.js';
import { senderOf } from './smtp/mail-message.js';
import { MAILS_AT_ONCE, SmtpClient } from './smtp/smtp-client.js';
import { SmtpCircuitBreaker } from './smtp/smtp-circuit-breaker.js';
import { MAIL_QUEUE, type MailJob } from './store/mail-job.js';

/** Injection token of the handle of the e-mail queue. Null without `SMTP_URL`. */
export const MAIL_HANDLE = Symbol('mail handle');

const SWEEP: Pauses = { busyMs: 1_000, idleMs: 1_000 };
const EXPIRE: Pauses = { busyMs: 1_000, idleMs: 60_000 };

/** Sends e-mails. Without `SMTP_URL` it only fails e-mails that have waited too long. */
@Global()
@Module({})
export class MailModule {
  static with(environment: Environment): DynamicModule {
    const server = environment.SMTP_URL;
    const parts = server ? sendingBy(server, environment) : NOT_SENDING;
    return { module: MailModule, ...parts, exports: [MAIL_HANDLE] };
  }
}

const NOT_SENDING = {
  providers: [
    {
      provide: MAIL_HANDLE,
      inject: [LOGGER, LoopRunner, Database],
      useFactory: (logger: Logger, loops: LoopRunner, database: Database): null => {
        logger.info('SMTP_URL is not set: e-mails are not sent, and fail after 72 hours');
        loops.add({ name: 'mail expiring', ...EXPIRE, work: () => expireUnsentMails(database, logger) });
        return null;
      },
    },
  ],
};

const INJECTED = [
  Database,
  Metrics,
  RedisCircuitBreaker,
  WorkerHeartbeat,
  MailSignal,
  LOGGER,
  LoopRunner,
  Workers,
  Watchdog,
  getQueueToken(MAIL_QUEUE),
];
type Injected = readonly [
  Database,
  Metrics,
  RedisCircuitBreaker,
  WorkerHeartbeat,
  MailSignal,
  Logger,
  LoopRunner,
  Workers,
  Watchdog,
  Queue<MailJob>,
];

const sendingBy = (server: SmtpServer, environment: Environment): Pick<DynamicModule, 'imports' | 'providers'> => ({
  imports: [
    BullModule.registerQueueAsync({
      name: MAIL_QUEUE,
      inject: [RedisConnections],
      useFactory: (connections: RedisConnections) => queueOptions(MAIL_QUEUE, connections),
    }),
  ],
  providers: [
    {
      provide: MAIL_HANDLE,
      inject: INJECTED,
      useFactory: (...injected: Injected) => startSending(server, environment, injected),
    },
  ],
});

/** Creates everything that sends e-mails, and adds its loops and workers. */
function startSending(
  server: SmtpServer,
  environment: Environment,
  [database, counters, redisBreaker, { worker }, due, logger, loops, workers, watchdog, queue]: Injected,
): QueueHandle<MailJob> {
  const { MAIL_FROM, MAIL_SCHEDULE: schedule, PUBLIC_BASE_URL } = environment;
  const { ACTIVATION_URL = `${PUBLIC_BASE_URL}/activate` } = environment;
  const handle = { name: MAIL_QUEUE, queue, concurrency: MAILS_AT_ONCE };
  redisBreaker.watch(queue);
  watchdog.watch(handle);
  const metrics = new MailMetrics(counters);
  const client = new SmtpClient(server, senderOf(PUBLIC_BASE_URL, MAIL_FROM));
  const activationMails = new ActivationMails(new SecretBox(environment, ACTIVATION_TOKEN_PURPOSE), ACTIVATION_URL);
  const breaker = new SmtpCircuitBreaker();
  const sender = new MailSender({
    database,
    client,
    activationMails,
    publicBaseUrl: PUBLIC_BASE_URL,
    worker,
    metrics,
    logger,
    schedule,
    random: Math.random,
    onFinished: (error) => {
      breaker.recordResult(error);
      due.raise();
    },
  });
  // A slow e-mail keeps its concurrency slot until its attempt ends, because it uses a connection to the mail server.
  const [directSlots, bullSlots] = [new ConcurrencySlots(0), new ConcurrencySlots(0)];
  const dispatcher = new JobDispatcher<MailJob>({
    handle,
    breaker: redisBreaker,
    slots: directSlots,
    logger,
    rowId: ({ mailId }) => mailId,
    work: (job) => metrics.followDirect(sender.send(job)),
  });
  const bullWorker = new BullWorker<MailJob>({
    handle,
    slots: bullSlots,
    numbers: ['mailId', 'attempts', 'requeues'],
    work: (job) => metrics.follow(sender.send(job)),
    logger,
  });
  const poller = new MailDuePoller(database, dispatcher, breaker);
  const sweeper = new MailSweeper({ database, dispatcher, metrics, logger, onDue: due.raise });
  workers.add(bullWorker, {
    drain: () => directSlots.drain(),
    close: () => {
      sender.close();
      client.close();
    },
  });
  loops.add({ name: 'mail due polling', ...POLL_DUE, work: () => poller.poll(), wakeOn: due });
  loops.add({ name: 'mail sweeping', ...SWEEP, work: () => sweeper.sweep() });
  return handle;
}
