import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fastify from 'fastify';

/**
 * The bare server: the API cannot be faster than this server. It streams a body to a file and a file to an answer. It
 * knows no credentials, hash, media type or database. With `?flush`, the file is on the disk before the answer, as in
 * the API.
 */
const { PORT, FOLDER } = process.env;
const server = fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', (_request, body, done) => done(null, body));

server.post('/files', async (request, reply) => {
  const id = randomUUID();
  const fd = openSync(join(FOLDER, id), 'wx');
  await pipeline(request.body, createWriteStream('', { fd, autoClose: true, flush: 'flush' in request.query }));
  return reply.status(201).send({ id });
});

server.get('/files/:id', async (request, reply) => {
  const path = join(FOLDER, request.params.id);
  const { size } = await stat(path);
  return reply
    .headers({ 'content-type': 'application/octet-stream', 'content-length': size })
    .send(createReadStream(path));
});

await server.listen({ port: Number(PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => {
  server.server.closeAllConnections();
  void server.close();
});
