import { createServer } from 'node:http';

/**
 * A process that receives messages at many URLs. Healthy URLs answer 204 at once, hanging URLs never answer. The IPC
 * message `expect` contains a number of messages. When so many messages have arrived, the process reports the time of
 * the last message and the latency of each.
 */
let receipts = [];
let expectation;

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
  });
  receipts = [];
}

const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, handler).listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${server.address().port}/`),
    );
  });

process.on('message', async (message) => {
  if (message.type === 'expect') {
    expectation = message.count;
    if (receipts.length >= expectation) report();
  }
  if (message.type === 'forget') receipts = [];
  if (message.type === 'listen') {
    const urls = { healthy: [], hanging: [] };
    for (let index = 0; index < message.healthy; index++) urls.healthy.push(await listen(take));
    for (let index = 0; index < message.hanging; index++)
      urls.hanging.push(await listen((request) => request.resume()));
    process.send({ type: 'listening', urls });
  }
});
process.on('disconnect', () => process.exit(0));
