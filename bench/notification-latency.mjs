import { createServer } from 'node:http';
import { sleep } from '../tools/services/processes.mjs';
import { startTestServices } from '../tools/services/test-services.mjs';
import { median } from './measure.mjs';
import { createApplication, createClient, createEnvironment, migrate, startApp } from './service.mjs';

export const projects = ['@ats/api', '@ats/notifier'];

const TARGET_MS = 150;
const rounds = 100;
/** Longer than the polling interval of the notifier, so that rounds do not affect each other. */
const PAUSE_MS = 120;

/**
 * Measures the time from a change of state to its notification on an idle machine, with PostgreSQL, Redis, API,
 * notifier and an HTTP receiver as processes. `--outbox` writes the outbox row directly instead of calling the API.
 *
 * The change is committed between the request and its answer. "From the request" is therefore the upper bound of the
 * latency, and "from the answer" the lower bound.
 * @param {string[]} options
 */
export async function run(options) {
  const services = await startTestServices({ say: console.error });
  const running = [];
  try {
    const environment = await createEnvironment(services.env);
    await migrate(environment);
    for (const app of ['api', 'notifier']) running.push(await startApp(app, environment));
    const receiver = await startReceiver();
    const client = createClient(environment);
    const application = await createApplication(client);
    await subscribe(client, receiver.url);
    const trigger = options.includes('--outbox')
      ? await outboxTrigger(environment, application)
      : apiTrigger(client, application);
    print(await measureLatency(trigger, receiver));
    receiver.close();
  } finally {
    await Promise.all(running.map((one) => one.stop()));
    await services.stop();
  }
}

/** @returns milliseconds of each round, without the warm-up */
async function measureLatency(trigger, receiver) {
  const fromRequest = [];
  const fromAnswer = [];
  for (let round = 0; round < rounds + 10; round++) {
    const received = receiver.next();
    const sentAt = performance.now();
    await trigger(round);
    const answeredAt = performance.now();
    const receivedAt = await received;
    if (round >= 10) {
      fromRequest.push(receivedAt - sentAt);
      fromAnswer.push(receivedAt - answeredAt);
    }
    await sleep(PAUSE_MS + Math.random() * PAUSE_MS);
  }
  return { fromRequest, fromAnswer };
}

function print({ fromRequest, fromAnswer }) {
  const row = (name, values) => {
    const sorted = [...values].sort((left, right) => left - right);
    const at = (share) => `${sorted[Math.floor((sorted.length - 1) * share)].toFixed(1)} ms`;
    console.log(`${name.padEnd(32)} median ${at(0.5)}   p90 ${at(0.9)}   p99 ${at(0.99)}   max ${at(1)}`);
  };
  row('from the request to the receiver', fromRequest);
  row('from the answer to the receiver', fromAnswer);
  const isMet = median(fromRequest) < TARGET_MS;
  console.log(`${isMet ? 'met' : 'MISSED'}: the median must be below ${TARGET_MS} ms (${fromRequest.length} changes)`);
  if (!isMet) process.exitCode = 1;
}

/** Changes the state of the application back and forth through the API. */
function apiTrigger(client, application) {
  return (round) =>
    client('PUT', `/vacancy_applications/${application.id}/process_state`, {
      state: round % 2 === 0 ? 'on_hold' : 'in_review',
    });
}

/** Writes the outbox row and wakes the notifier, as the API does. */
async function outboxTrigger({ DATABASE_URL }, application) {
  const { Database } = await import('@ats/postgres');
  const database = await Database.connect({ url: DATABASE_URL, applicationName: 'bench', poolSize: 1 });
  const [{ id: recruiterId }] = await database.query(`SELECT id FROM users WHERE type = 'recruiter' LIMIT 1`);
  const facts = JSON.stringify({ 'application.id': application.id, 'application.app_type': 'vacancy_application' });
  return async () => {
    await database.query(
      `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
       VALUES ('STATE_CHANGE_APPLICATION', 'application', $1, $2, 'UTC', $3)`,
      [application.id, recruiterId, facts],
    );
    await database.query('NOTIFY ats_domain_events');
  };
}

async function subscribe(client, url) {
  const topic = await client('POST', '/notification_topics', {
    type: 'STATE_CHANGE_APPLICATION',
    name: 'bench',
    expression: 'application.app_type == "vacancy_application"',
  });
  await client('POST', `/notification_topics/${topic.id}/subscriptions`, { destination_url: url });
}

async function startReceiver() {
  let onReceived = () => undefined;
  const server = createServer((request, response) => {
    const receivedAt = performance.now();
    request.resume();
    request.on('end', () => {
      response.writeHead(204).end();
      onReceived(receivedAt);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Resolves with the time of the next message. */
    next: () => new Promise((resolve) => (onReceived = resolve)),
    close: () => server.close().closeAllConnections(),
  };
}
