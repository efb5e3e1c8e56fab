import { ACTIVATION_TOKEN_PURPOSE, SecretBox } from '@ats/domain';
import { Database } from '@ats/postgres';
import { RedisConnections } from '@ats/redis-connection';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Environment } from '../config/env.js';
import { type SmtpServer } from '../config/mail-variables.js';
import { BullWorker } from '../queues/bull-worker.js';
import { Carrier } from '../queues/job-dispatcher.js';
import { FeedingModule } from '../delivery/feeding.module.js';
import { Places } from '../queues/concurrency-slots.js';
import { queueOptions } from '../queues/queues.js';
import { RedisTrust } from '../queues/redis-circuit-breaker.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Measures } from '../counters/metrics.js';
import { PresenceModule } from '../loops/loops.module.js';
import { MailSignal } from '../loops/signals.js';
import { WorkerPresence } from '../loops/worker-heartbeat.js';
import { ActivationMails } from './activation-mail.js';
import { MailFeeder } from './mail-due-poller.js';
import { MAIL_QUEUE, type MailJob, MAILS_AT_ONCE } from './store/mail-job.js';
import { MailMeasures } from './mail-metrics.js';
import { senderOf } from './smtp/mail-message.js';
import { type MailError } from './smtp/mail-outcome.js';
import { MailSender } from './mail-sender.js';
import { MailSweeper } from './mail-sweeper.js';
import { type Mailing, MAILING } from './mailing.js';
import { ServerGate } from './smtp/smtp-circuit-breaker.js';
import { SmtpClient } from './smtp/smtp-client.js';

const INJECTED = [Database, Measures, RedisTrust, WorkerPresence, MailSignal, LOGGER, getQueueToken(MAIL_QUEUE)];
type Injected = readonly [Database, Measures, RedisTrust, WorkerPresence, MailSignal, Logger, Queue<MailJob>];

/** Without `SMTP_URL` nothing of it is made, and no row is looked at. */
@Global()
@Module({})
export class MailModule {
  static with(environment: Environment): DynamicModule {
    const server = environment.SMTP_URL;
    const parts = server ? sendingBy(server, environment) : NOT_SENDING;
    return { module: MailModule, ...parts, exports: [MAILING] };
  }
}

const NOT_SENDING = {
  providers: [
    {
      provide: MAILING,
      inject: [LOGGER],
      useFactory: (logger: Logger): null => {
        logger.info('SMTP_URL is not set: e-mails are kept and not sent');
        return null;
      },
    },
  ],
};

const sendingBy = (server: SmtpServer, environment: Environment): Pick<DynamicModule, 'imports' | 'providers'> => ({
  imports: [
    FeedingModule,
    PresenceModule,
    BullModule.registerQueueAsync({
      name: MAIL_QUEUE,
      inject: [RedisConnections],
      useFactory: (connections: RedisConnections) => queueOptions(MAIL_QUEUE, connections),
    }),
  ],
  providers: [
    {
      provide: MAILING,
      inject: INJECTED,
      useFactory: (...injected: Injected) => createMailing(server, environment, injected),
    },
  ],
});

function createMailing(
  server: SmtpServer,
  environment: Environment,
  [database, common, trust, presence, due, logger, queue]: Injected,
): Mailing {
  const {
    MAIL_FROM,
    MAIL_SCHEDULE: schedule,
    PUBLIC_BASE_URL,
    ACTIVATION_URL = `${PUBLIC_BASE_URL}/activate`,
    SECRET_KEY,
  } = environment;
  trust.follow(queue);
  const line = { name: MAIL_QUEUE, queue, concurrency: MAILS_AT_ONCE };
  const measures = new MailMeasures(common);
  const client = new SmtpClient(server, senderOf(PUBLIC_BASE_URL, MAIL_FROM));
  const activationMails = new ActivationMails(new SecretBox(SECRET_KEY, ACTIVATION_TOKEN_PURPOSE), ACTIVATION_URL);
  const gate = new ServerGate();
  const onFinished = (error: MailError | null): void => {
    gate.note(error);
    due.raise();
  };
  const sender = new MailSender({
    database,
    client,
    activationMails,
    worker: presence.worker,
    measures,
    logger,
    schedule,
    random: Math.random,
    onFinished,
  });
  // Each holds a connection to the server for as long as it takes.
  const [direct, taken] = [new Places(0), new Places(0)];
  const work = (job: MailJob): Promise<void> => measures.follow(sender.send(job));
  const carrier = new Carrier<MailJob>({
    line,
    trust,
    places: direct,
    logger,
    rowId: ({ mailId }) => mailId,
    work: (job) => measures.followDirect(sender.send(job)),
  });
  return {
    line,
    feeder: new MailFeeder(database, carrier, gate),
    sweeper: new MailSweeper({ database, carrier, measures, logger, onDue: due.raise }),
    worker: new BullWorker<MailJob>({ line, places: taken, numbers: ['mailId', 'attempts', 'requeues'], work, logger }),
    drain: () => direct.drain(),
    close: () => {
      sender.close();
      client.close();
    },
  };
}
