import { connect } from 'node:net';

/**
 * Holds many streams open in a process of its own, and reports to its parent how many are open and how many have
 * received a change. Uses sockets without an HTTP client, so that the clients need little of the machine.
 */
const { port, tokens, count, parallel } = JSON.parse(process.argv[2]);
let opened = 0;
let ended = 0;
let changes = 0;

const report = () => process.send({ opened, ended, changes });

/** Opens the stream with this number. Resolves when the answer of the API begins. */
function open(number) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const head = [
      'GET /api/v1/changes?since=now HTTP/1.1',
      'host: localhost',
      'accept: text/event-stream',
      `authorization: Bearer ${tokens[number % tokens.length]}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let isOpen = false;
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (!isOpen) {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text));
        isOpen = true;
        opened += 1;
        resolve();
      }
      changes += text.split('event: change').length - 1;
    });
    socket.on('close', () => (ended += 1));
    socket.on('error', reject);
  });
}

let next = 0;
await Promise.all(
  Array.from({ length: parallel }, async () => {
    while (next < count) await open(next++);
  }),
);
report();
process.on('message', report);
process.on('disconnect', () => process.exit());
