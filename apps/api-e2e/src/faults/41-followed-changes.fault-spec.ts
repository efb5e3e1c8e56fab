import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';

const WRITERS = 4;
const WAIT_MS = 300_000;
/** Pause in ms before a failed request is sent again. */
const PAUSE_MS = 50;

interface Page {
  readonly items: readonly { readonly resource: string; readonly id: number; readonly change: string }[];
  readonly next: string;
  readonly has_more: boolean;
}

/** A client that follows the changes feed with one chain of tokens. It sends a failed request again. */
class Follower {
  readonly entries: string[] = [];
  #isOver = false;
  #token = '';
  #run: Promise<void> = Promise.resolve();

  constructor(private readonly stage: Stage) {}

  async start(): Promise<void> {
    this.#token = (await this.#read('now')).next;
    this.#run = this.#follow();
  }

  /** Reads the feed up to its end. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#run;
  }

  async #follow(): Promise<void> {
    for (let isAtEnd = false; !(this.#isOver && isAtEnd); ) {
      try {
        const { items, next, has_more } = await this.#read(this.#token, this.#isOver ? 0 : 1);
        this.entries.push(...items.map(({ change, resource, id }) => `${change} ${resource} ${id}`));
        this.#token = next;
        isAtEnd = items.length === 0 && !has_more;
      } catch (error) {
        if (/: 4\d\d /.test(String(error))) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  #read(since: string, wait = 0): Promise<Page> {
    return this.stage.client.get<Page>(`/changes?since=${since}&resources=job_boards&limit=7&wait=${wait}`);
  }
}

/** Clients that create and rename job boards. */
class Writers {
  acknowledged = 0;
  unanswered = 0;
  #isOver = false;
  readonly #runs: Promise<void>[];

  constructor(private readonly stage: Stage) {
    this.#runs = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#runs);
  }

  async #write(writer: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1)
      await this.stage.client.post('/job_boards', { name: 'Board', code: `board-${writer}-${turn}` }).then(
        () => (this.acknowledged += 1),
        async () => {
          this.unanswered += 1;
          await sleep(PAUSE_MS);
        },
      );
  }
}

const FAULTS = {
  'API killed (SIGKILL)': async ({ api }: Stage) => {
    await api.end('SIGKILL');
    await api.start();
  },
  'PostgreSQL immediate restart': async ({ servers: { postgres } }: Stage) => {
    await postgres.end('SIGQUIT');
    await postgres.start();
  },
  'PostgreSQL failover to a synchronous standby': ({ servers }: Stage) => servers.failOver(),
} as const;

for (const [fault, inject] of Object.entries(FAULTS)) {
  faultTest({ number: 41, fault: `${fault} while clients follow the changes`, isFast: true }, async (stage, report) => {
    const follower = new Follower(stage);
    await follower.start();
    const writers = new Writers(stage);
    for (const faults = sized(20, 2); report.faults < faults; report.faults += 1) {
      const before = follower.entries.length;
      await waitUntil('the client follows', WAIT_MS, () => follower.entries.length > before + 10);
      await inject(stage);
    }
    await writers.stop();
    await follower.finish();
    const { acknowledged, unanswered } = writers;
    const { rows } = await stage.database.query<{ entry: string }>(
      `SELECT 'created job_boards ' || id AS entry FROM job_boards WHERE code LIKE 'board-%'`,
    );
    // Compares sorted lists, because changes are committed in another order than that of their ids.
    expect([...follower.entries].sort()).toEqual(rows.map(({ entry }) => entry).sort());
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
    expect(rows.length).toBeLessThanOrEqual(acknowledged + unanswered);
    report.note(`${rows.length} changes followed; ${acknowledged} writes acknowledged, ${unanswered} unanswered`);
  });
}
