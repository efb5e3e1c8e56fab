import { type PageReads, Replica } from '@ats/postgres';
import { ReplicatedServer } from '@ats/domain/testing';
import { createLogger } from '@ats/logging';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Environment } from '../../src/config/env.js';
import { createApp } from '../../src/create-app.js';
import { Answer, type Item } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { expectStatus, Factories } from '../support/factories.js';
import { TcpRelay } from '@ats/postgres/testing';

/** One process of the API, which answers requests of a test. */
export class ApiProcess {
  constructor(
    readonly app: NestFastifyApplication,
    readonly replica: Replica,
  ) {}

  async get(token: string, path: string): Promise<Answer> {
    return new Answer(
      await this.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } }),
    );
  }

  async post(token: string, path: string, body: object): Promise<Item> {
    return expectStatus(
      201,
      new Answer(
        await this.app.inject({
          method: 'POST',
          url: `/api/v1${path}`,
          headers: { authorization: `Bearer ${token}` },
          payload: body,
        }),
      ),
    ).item;
  }

  /** Reads a page of job boards. @returns the codes of the job boards, and `X-Total-Count` */
  async boards(token: string): Promise<{ readonly codes: readonly string[]; readonly total: number }> {
    const answer = expectStatus(200, await this.get(token, '/job_boards?per_page=1000&sort=id!asc'));
    return { codes: answer.items.map(({ code }) => String(code)), total: Number(answer.headers['x-total-count']) };
  }

  /** Resolves when a page for this token is read from the replica. */
  async untilReplicaIsRead(token: string): Promise<void> {
    await until(async () => {
      const { reads } = this.replica.measures;
      await this.boards(token);
      return this.replica.measures.reads > reads;
    });
  }
}

/** Two processes of the API that share a database with a streaming replica, and a Redis. */
export class ReplicaPair {
  private constructor(
    readonly server: ReplicatedServer,
    readonly api: Api,
    readonly first: ApiProcess,
    readonly second: ApiProcess,
    /** The relay between both API processes and the replica. */
    readonly wayToReplica: TcpRelay,
    /** The relay between the second process and Redis. */
    readonly redisOfSecond: TcpRelay,
    readonly make: Factories,
    /** The tokens of clients. `writer` may write job boards and candidates, and `reader` may only read. */
    readonly writer: string,
    readonly reader: string,
    readonly databaseName: string,
  ) {}

  static async start(): Promise<ReplicaPair> {
    const server = await ReplicatedServer.start();
    const replica = await TcpRelay.before(server.url('postgres', 'replica'));
    process.env['TEST_DATABASE_URL'] = server.url('postgres');
    let shared: Environment | undefined;
    const api = await Api.start({}, (environment, log, options) => {
      shared = {
        ...environment,
        DATABASE_REPLICA_URL: replica.urlFor(server.url(databaseNameOf(environment), 'replica')),
      };
      return createApp(shared, log, options);
    });
    if (!shared) throw new Error('Api.start did not create the application of the test');
    const redis = await TcpRelay.before(shared.REDIS_URL);
    const second = await createApp(
      { ...shared, REDIS_URL: redis.urlFor(shared.REDIS_URL) },
      createLogger({ app: 'api', level: 'silent', write: () => undefined }),
    );
    await second.init();
    await second.getHttpAdapter().getInstance().ready();
    const make = new Factories(api);
    const tokens = [await make.credential({ scopes: ['*:read', '*:write'] }), await make.credential()];
    const processes = [api.app, second].map((app) => new ApiProcess(app, app.get(Replica)));
    const pair = new ReplicaPair(
      server,
      api,
      processes[0] as ApiProcess,
      processes[1] as ApiProcess,
      replica,
      redis,
      make,
      tokens[0]?.token ?? '',
      tokens[1]?.token ?? '',
      databaseNameOf(shared),
    );
    await pair.untilReplicaIsRead();
    return pair;
  }

  get processes(): readonly ApiProcess[] {
    return [this.first, this.second];
  }

  /** Both combinations in which one process writes and the other one reads. */
  get ways(): readonly { readonly writing: ApiProcess; readonly reading: ApiProcess }[] {
    const { first, second } = this;
    return [
      { writing: first, reading: second },
      { writing: second, reading: first },
    ];
  }

  async untilReplicaIsRead(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.untilReplicaIsRead(this.reader)));
  }

  /** Waits until the first process reads from the replica. Resolves with its reads. */
  async readsOfReplica(): Promise<PageReads> {
    let reads: PageReads | undefined;
    await until(async () => {
      await this.untilReplicaIsRead();
      reads = this.first.replica.readsFor(0, this.api.database);
      return reads !== undefined;
    });
    return reads as PageReads;
  }

  /** Resolves when both processes read only from the primary. */
  async untilPrimaryIsRead(): Promise<void> {
    await until(() => Promise.resolve(this.processes.every(({ replica }) => replica.refusal !== undefined)));
  }

  async close(): Promise<void> {
    await this.second.app.close();
    await this.redisOfSecond.close();
    await this.wayToReplica.close();
    await this.api.close();
    await this.server.close();
  }
}

const databaseNameOf = ({ DATABASE_URL }: Environment): string => new URL(DATABASE_URL).pathname.slice(1);

const PATIENCE_MS = 100_000;

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline)
      throw new Error(`this did not become true within ${PATIENCE_MS} ms: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
