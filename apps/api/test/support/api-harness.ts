import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@ats/logging';
import { ensureBootstrapCredential, createToken } from '@ats/domain';
import { Database } from '@ats/postgres';
import { createTestDatabase, type TestDatabase } from '@ats/domain/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CountCache } from '../../src/collections/count-cache.js';
import { type Environment } from '../../src/config/env.js';
import { createApp } from '../../src/create-app.js';
import { Answer } from './answer.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE';

/** The public base URL. It has a path, so that tests fail for URLs in answers that lack this path. */
export const BASE_URL = 'https://jobs.example.com/recruiting';

/** The folder of a small site that stands for the site of `apps/docs`. */
const SITE_FOLDER = join(__dirname, 'site');

/** The key that encrypts tokens and signing keys. */
export const SECRET_KEY = 'a secret key for the tests of the API';

/** Maximum time in ms that a page waits for its count. It is long, because a busy machine counts slowly. */
const COUNT_WAIT_MS = 60_000;

export interface Route {
  readonly method: Method;
  /** The path of the route, as it is registered: `/api/v1/candidates/:id`. */
  readonly url: string;
}

export interface RequestOptions {
  /**
   * The token of the request. Defaults to that of the bootstrap credential. With null, no `Authorization` header is
   * sent.
   */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The body that is sent unchanged. Its content type defaults to `application/json`. */
  readonly payload?: string | Buffer;
  /** IP address of the client. */
  readonly remoteAddress?: string;
}

interface Data {
  readonly database: Database;
  readonly token: string;
  readonly testDatabase: TestDatabase;
  /** The folder that stores the bytes of documents. */
  readonly folder: string;
}

/** The real API, running in this process. It has a database of its own, to which it connects as the role of the API. */
export class Api {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly routes: readonly Route[],
    /** Every line that was logged, as JSON text. */
    readonly log: readonly string[],
    /**
     * The test's own connection, with the role of the owner. It reads rows, and writes rows that no request can write.
     */
    readonly database: Database,
    readonly adminToken: string,
    private readonly testDatabase: TestDatabase,
    /** The folder that stores the bytes of documents. */
    readonly folder: string,
  ) {}

  static async start(overrides: Partial<Environment> = {}, make: typeof createApp = createApp): Promise<Api> {
    const testDatabase = await createTestDatabase();
    const database = await Database.connect({ url: testDatabase.url, applicationName: 'api-spec', poolSize: 2 });
    const token = createToken();
    await database.transaction((transaction) => ensureBootstrapCredential(transaction, token));
    const folder = await mkdtemp(join(tmpdir(), 'ats-documents-'));
    return Api.#open({ database, token, testDatabase, folder }, overrides, make);
  }

  /** The URL of the database for the role of the owner. */
  get ownerUrl(): string {
    return this.testDatabase.url;
  }

  /** Starts another API on the same database and Redis. The caller must close only its `app`. */
  beside(overrides: Partial<Environment>): Promise<Api> {
    const { database, adminToken: token, testDatabase, folder } = this;
    return Api.#open({ database, token, testDatabase, folder }, overrides, createApp);
  }

  static async #open(
    { database, token, testDatabase, folder }: Data,
    overrides: Partial<Environment>,
    make: typeof createApp,
  ): Promise<Api> {
    const log: string[] = [];
    const app = await make(
      environment(testDatabase.apiUrl, { DOCUMENTS_FOLDER: folder, ...overrides }),
      createLogger({ app: 'api', level: 'trace', write: (line) => void log.push(line) }),
      { siteFolder: SITE_FOLDER },
    );
    const routes: Route[] = [];
    const fastify = app.getHttpAdapter().getInstance();
    fastify.addHook(
      'onRoute',
      ({ method, url }) => void routes.push(...[method].flat().map((name) => ({ method: name as Method, url }))),
    );
    await app.init();
    await fastify.ready();
    // Every page gets an exact count, however slow the machine is. Tests of stale and missing counts use a cache of
    // their own.
    if (make === createApp) Object.assign(app.get(CountCache), { maxStaleMs: -1, maxWaitMs: COUNT_WAIT_MS });
    return new Api(app, routes, log, database, token, testDatabase, folder);
  }

  async request(
    method: Method,
    path: string,
    { token = this.adminToken, headers = {}, body, payload, remoteAddress }: RequestOptions = {},
  ): Promise<Answer> {
    const text = body === undefined ? payload : JSON.stringify(body);
    const response = await this.app.inject({
      method,
      url: path,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        // Asks a route with streams for JSON. `inject` cannot read a stream, because it returns only complete answers.
        ...(/\/stream(?:\?|$)/.test(path) && { accept: 'application/json' }),
        // Sets a header that HTTP clients send by themselves, but `inject` does not.
        ...(method === 'PUT' && text === undefined && { 'content-length': '0' }),
        ...headers,
      },
      // Passes a copy of the bytes, because the API frees the memory of the bytes that it has read.
      ...(text !== undefined && { payload: Buffer.isBuffer(text) ? Buffer.from(text) : text }),
      remoteAddress,
    });
    return new Answer(response);
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', `/api/v1${path}`, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', `/api/v1${path}`, { ...options, body });
  }

  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('PUT', `/api/v1${path}`, { ...options, body });
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', `/api/v1${path}`, options);
  }

  /**
   * Opens a port for tests that need a real connection.
   * @returns the port
   */
  async listen(): Promise<number> {
    await this.app.listen(0, '127.0.0.1');
    return Number(new URL(await this.app.getUrl()).port);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.close();
    await this.testDatabase.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An address at which no name server listens, so that look-ups of names fail at once. */
const NO_NAME_SERVER = '127.0.0.1:1';

function environment(databaseUrl: string, overrides: Partial<Environment>): Environment {
  const redisUrl = process.env['TEST_REDIS_URL'];
  if (!redisUrl) throw new Error('TEST_REDIS_URL is not set: run this through `npm run with-services`');
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PORT: 0,
    PUBLIC_BASE_URL: BASE_URL,
    SECRET_KEY,
    ALLOW_HTTP_DESTINATIONS: false,
    ALLOW_PRIVATE_DESTINATIONS: false,
    NOTIFIER_DNS_SERVERS: [NO_NAME_SERVER],
    RATE_LIMIT: 0,
    RATE_LIMIT_WINDOW: 10,
    CREDENTIAL_LIMIT: 0,
    LOG_LEVEL: 'trace',
    LOG_FORMAT: 'json',
    DRAIN_SECONDS: 0,
    DOCUMENTS_STORE: 'folder',
    DOCUMENTS_FOLDER: tmpdir(),
    DOCUMENTS_S3_REGION: 'us-east-1',
    DOCUMENTS_S3_PATH_STYLE: true,
    DOCUMENT_MAX_BYTES: 1_000_000,
    RELEASE: 'test',
    ...overrides,
  };
}
