import { setImmediate as turn } from 'node:timers/promises';
import { type Server } from 'node:tls';
import {
  EnvironmentError,
  type EnvironmentOf,
  findMisspelled,
  type Process,
  readEnvironment,
  textsInForce,
  type Variables,
} from '@ats/configuration';
import { type sharedVariables, type tlsVariables } from '@ats/domain';
import { createLogger, type Logger, sayLastWords } from '@ats/logging';
import { traceFields } from '@ats/telemetry';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Certificate, describe, readCertificate, reloadOnHangUp } from './tls.js';

/** The environment variables that {@link startApp} itself reads. */
type StartVariables = Pick<typeof sharedVariables, 'LOG_LEVEL' | 'LOG_FORMAT' | 'RELEASE'> & typeof tlsVariables;

export interface StartOptions<Declared extends Variables & StartVariables> {
  /** The environment variables that the app reads. Its `name` is in every log line. */
  readonly configuration: Process<Declared>;
  /** Creates the app, ready to listen. With a certificate, its server must be an HTTPS server. */
  readonly create: (
    environment: EnvironmentOf<Declared>,
    log: Logger,
    certificate: Certificate | undefined,
  ) => Promise<NestFastifyApplication>;
  /** Returns the port to listen on, on all network interfaces. */
  readonly port: (environment: EnvironmentOf<Declared>) => number;
}

/**
 * Starts an app: checks its configuration, writes the first log lines, creates the app, and listens. A wrong
 * configuration ends the process with status 1 and one message that names every wrong variable. Any other failure also
 * ends it with status 1. With `TLS_CERT_FILE` and `TLS_KEY_FILE`, the app serves HTTPS, and SIGHUP reloads the
 * certificate.
 * @returns once the app listens
 */
export async function startApp<Declared extends Variables & StartVariables>(
  options: StartOptions<Declared>,
): Promise<void> {
  const { configuration } = options;
  const environment = orExit(() => readEnvironment(configuration, process.env));
  const started = environment as EnvironmentOf<StartVariables>;
  const certificate = orExit(() => readCertificate(started));
  const { RELEASE, LOG_LEVEL, LOG_FORMAT } = started;
  const log = createLogger({
    app: configuration.name,
    release: RELEASE,
    level: LOG_LEVEL,
    format: LOG_FORMAT,
    fields: traceFields,
  });
  sayLastWords(log);
  log.info({ node: process.version, configuration: textsInForce(configuration, process.env) }, 'starting');
  for (const misspelled of findMisspelled(configuration, process.env))
    log.warn(misspelled, 'an unknown environment variable resembles a known one: correct its name');
  try {
    const made: { server?: Server } = {};
    const reloadPending = certificate && reloadOnHangUp(started, log, () => made.server);
    const app = await options.create(environment, log, certificate);
    made.server = app.getHttpServer() as unknown as Server;
    await handlePendingSignals();
    reloadPending?.();
    const port = options.port(environment);
    await app.listen(port, '0.0.0.0');
    log.info({ port, ...(certificate && { certificate: describe(certificate) }) }, 'listening');
  } catch (error) {
    log.fatal({ err: error }, `the ${configuration.name} could not start`);
    process.exit(1);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => log.info({ signal }, 'stopping'));
  process.once('exit', (code) => log.info({ code }, 'stopped'));
}

/** Reads a part of the configuration. If it is wrong, logs the reason and ends the process with status 1. */
function orExit<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof EnvironmentError ? error.message : error);
    process.exit(1);
  }
}

/**
 * Lets Node handle signals that arrived while the app was created. Node handles signals in the poll phase of the event
 * loop, which creating an app never reaches. After two `setImmediate` calls one after the other, at least one poll
 * phase has run.
 */
async function handlePendingSignals(): Promise<void> {
  await turn();
  await turn();
}
