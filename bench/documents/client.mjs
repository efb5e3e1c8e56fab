import { randomBytes } from 'node:crypto';
import { uploadsTo } from './transfer.mjs';

/**
 * A process that uploads many files at the same time, so that its memory and its processor time are not those of the
 * benchmark. It sends a message when it is ready and after each wave.
 */
const { api, token, bytes: size } = JSON.parse(process.argv[2]);
const uploads = uploadsTo({ api, token, bytes: randomBytes(size) });

process.on('message', async ({ count, way }) => {
  const start = performance.now();
  const results = await Promise.allSettled(Array.from({ length: count }, () => uploads[way]()));
  const failed = results.flatMap(({ reason }) => (reason === undefined ? [] : [String(reason)]));
  process.send({ ms: performance.now() - start, failed });
});
process.send('ready');
