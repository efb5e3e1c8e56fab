import { describe, expect, test } from '@jest/globals';
import { fastify } from 'fastify';
import { boundAnswers } from './bound-answers.js';

const TOO_LARGE = JSON.stringify('x'.repeat(33 * 1024 * 1024));

describe('an answer that exceeds 32 MiB although the database limited its size', () => {
  test('becomes the error 400 for a read, and is sent for a write', async () => {
    const app = fastify();
    boundAnswers(app);
    const routes = { 'GET /items': 400, 'POST /items/query': 400, 'POST /items': 200 } as const;
    for (const route of Object.keys(routes)) {
      const [method = '', url = ''] = route.split(' ');
      app.route({ method, url, handler: (_request, reply) => reply.type('application/json').send(TOO_LARGE) });
    }
    for (const [route, status] of Object.entries(routes)) {
      const [method = 'GET', url = ''] = route.split(' ');
      expect((await app.inject({ method: method as 'GET', url })).statusCode).toBe(status);
    }
  });
});
