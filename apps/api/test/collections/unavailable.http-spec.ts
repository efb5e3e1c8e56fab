import { createLogger } from '@ats/logging';
import { ReadPool } from '@ats/postgres';
import { createTestDatabase, type TestDatabase } from '@ats/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuditLog } from '../../src/audit/audit-log.js';
import { LIMIT_SETTINGS } from '../../src/limits/limit-settings.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { ProblemFilter } from '../../src/request/problem.filter.js';
import { RouteTable } from '../../src/request/route-table.js';
import { Answer } from '../support/answer.js';
import { eventually } from '../support/eventually.js';

const OPTIONS = {
  applicationName: 'unavailable-spec',
  size: 1,
  statementTimeoutMs: 100_000,
  connectionTimeoutMs: 2_000,
};

let testDatabase: TestDatabase;
let pool: ReadPool;
let app: NestFastifyApplication;
const log: string[] = [];

/** A route for tests. It reads a page through a pool with one connection and a short timeout. */
@Controller()
class Pages {
  @Get('page')
  page(): Promise<unknown> {
    return pool.query({ text: 'SELECT 1 AS one', parameters: [] });
  }
}

/** The error filter needs these providers only for requests with a context, which this app does not have. */
const NOT_USED = [AuditLog, LIMIT_SETTINGS, Metrics].map((provide) => ({ provide, useValue: {} }));

@Module({
  controllers: [Pages],
  providers: [RouteTable, ...NOT_USED, { provide: APP_FILTER, useClass: ProblemFilter }],
})
class PagesModule {}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new ReadPool({ url: testDatabase.url, ...OPTIONS });
  app = await NestFactory.create<NestFastifyApplication>(
    PagesModule,
    new FastifyAdapter({
      loggerInstance: createLogger({ app: 'api', level: 'warn', write: (line) => void log.push(line) }),
    }),
    { logger: false },
  );
  await app.init();
});

afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

const getPage = async (): Promise<Answer> => new Answer(await app.inject('/page'));

describe('a page that the database cannot deliver', () => {
  const busy = { message: 'The service is not available at the moment', request_id: expect.any(String) };

  test('gets 503 with Retry-After while every connection is busy', async () => {
    // Repeats the first request until it succeeds. It opens the connection, which may take longer than the timeout on a
    // busy machine.
    await eventually(async () => expect((await getPage()).status).toBe(200));
    log.length = 0;
    const lock = { text: 'SELECT pg_advisory_lock(1)', parameters: [] };
    const holder = new ReadPool({ url: testDatabase.url, ...OPTIONS, connectionTimeoutMs: 60_000 });
    await holder.query(lock);
    const slow = pool.query(lock);
    const { status, headers, json } = await getPage();
    expect([status, headers['retry-after'], json]).toEqual([503, '5', busy]);
    expect(log).toEqual([expect.stringMatching(/no connection became free in time/)]);
    await holder.close();
    await slow;
    expect((await getPage()).status).toBe(200);
  });

  test('gets 503 while the database is shutting down', async () => {
    await pool.close();
    const { status, headers, json } = await getPage();
    expect([status, headers['retry-after'], json]).toEqual([503, '5', busy]);
  });
});
