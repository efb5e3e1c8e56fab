import { createServer } from 'node:http';

/**
 * A process that receives messages at many URLs. Healthy URLs answer 204 at once, hanging URLs never answer. The IPC
 * message `expect` contains a number of messages. When this number of messages has arrived, the process sends a report.
 * The report has the time of the last message, the latency of each message, and the greatest numbers of concurrent
 * requests to a URL and to an origin.
 */
let receipts = [];
let expectation;
/** Maps a URL, and an origin, to the number of its concurrent requests. */
const running = { url: new Map(), origin: new Map() };
let most = { url: 0, origin: 0 };

/** Counts a request from its headers to its end, or until the client closes the connection. */
function follow(request, response) {
  const origin = request.headers.host;
  const keys = { url: `${origin}${request.url}`, origin };
  for (const [kind, key] of Object.entries(keys)) {
    const count = (running[kind].get(key) ?? 0) + 1;
    running[kind].set(key, count);
    most[kind] = Math.max(most[kind], count);
  }
  response.once('close', () => {
    for (const [kind, key] of Object.entries(keys)) running[kind].set(key, running[kind].get(key) - 1);
  });
}

function take(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const at = Date.now();
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(204).end();
    receipts.push({ at, latencyMs: at - Date.parse(timestamp) });
    if (receipts.length === expectation) report();
  });
}

function report() {
  expectation = undefined;
  const latencies = receipts.map(({ latencyMs }) => latencyMs);
  process.send({
    type: 'received',
    count: receipts.length,
    firstAt: receipts[0]?.at,
    lastAt: receipts.at(-1)?.at,
    latencies,
    most,
  });
  forget();
}

function forget() {
  receipts = [];
  most = { url: 0, origin: 0 };
}

/** Answers a request to one of the URLs. */
const answer = (request, response) => {
  follow(request, response);
  if (request.url.startsWith('/hanging')) request.resume();
  else take(request, response);
};

const listen = () =>
  new Promise((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, answer).listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${server.address().port}/`),
    );
  });

process.on('message', async (message) => {
  if (message.type === 'expect') {
    expectation = message.count;
    if (receipts.length >= expectation) report();
  }
  if (message.type === 'forget') forget();
  if (message.type === 'listen') {
    const shared = message.isOneOrigin ? await listen() : undefined;
    const urls = { healthy: [], hanging: [] };
    for (const kind of ['healthy', 'hanging'])
      for (let index = 0; index < message[kind]; index++)
        urls[kind].push(`${shared ?? (await listen())}${kind}/${index}`);
    process.send({ type: 'listening', urls });
  }
});
process.on('disconnect', () => process.exit(0));
