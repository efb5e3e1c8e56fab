import { createServer } from 'node:http';
import pg from 'pg';
import { limitAnswers } from './limit-statements.mjs';

/**
 * The limit server: the API cannot be faster than this server. It only fetches the text of the answer from PostgreSQL
 * and sends it. It has no framework and no credentials, and sends neither `Link` nor a count.
 */
const { DATABASE_URL, PORT, PUBLIC_BASE_URL, POOL_SIZE } = process.env;
const options = '-c TimeZone=UTC -c jit=off -c max_parallel_workers_per_gather=0';
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(POOL_SIZE),
  application_name: 'bench-limit',
  options,
});
const answers = limitAnswers(pool, PUBLIC_BASE_URL);

const server = createServer(({ url }, response) => {
  const [path, query] = url.split('?');
  answers[path](new URLSearchParams(query)).then(
    (body) => send(response, body),
    (error) => response.writeHead(500).end(error.stack),
  );
});

/** Encodes the text once, because computing the byte length of a text that is not ASCII costs as much as encoding. */
function send(response, text) {
  const body = Buffer.from(text);
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
}

server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  pool.end();
});
