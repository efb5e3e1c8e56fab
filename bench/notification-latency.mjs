import { createServer } from 'node:http';
import { sleep } from '../tools/services/processes.mjs';
import { judge, median, printTable, quantile } from './measure.mjs';
import { createApplication, withService } from './service.mjs';

export const projects = ['@ats/api', '@ats/notifier'];

const TARGET_MS = 150;
const rounds = 100;
/**
 * Pause between two rounds. It is longer than the polling interval of the notifier, so that rounds do not affect each
 * other.
 */
const PAUSE_MS = 120;

/**
 * Measures the time from a change of state to its notification, one change at a time. PostgreSQL, Redis, the API and
 * the notifier run as processes; this process is the HTTP receiver.
 *
 * The change is committed between the request and its answer. "From the request" is therefore the upper bound of the
 * latency, and "from the answer" the lower bound.
 */
export const run = () =>
  withService({ apps: ['api', 'notifier'] }, async ({ client }) => {
    const receiver = await startReceiver();
    const application = await createApplication(client);
    await subscribe(client, receiver.url);
    print(await measureLatency(changesOf(client, application), receiver));
    receiver.close();
  });

/**
 * Triggers one notification after the other, and waits for each message.
 * @returns milliseconds of each round, without the warm-up
 */
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
  const shares = { median: 0.5, p90: 0.9, p99: 0.99, max: 1 };
  const row = (name, values) => [name, ...Object.values(shares).map((share) => quantile(values, share).toFixed(1))];
  printTable([
    ['ms', ...Object.keys(shares)],
    row('from sending the request to receiving the message', fromRequest),
    row('from the answer to receiving the message', fromAnswer),
  ]);
  const figure = median(fromRequest);
  judge(`the median of ${fromRequest.length} changes is below ${TARGET_MS} ms`, figure < TARGET_MS, figure.toFixed(1));
}

/** Changes the state of the application back and forth through the API. */
function changesOf(client, application) {
  return (round) =>
    client('PUT', `/vacancy_applications/${application.id}/process_state`, {
      state: round % 2 === 0 ? 'on_hold' : 'in_review',
    });
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
