import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { type Change, misplacedEntries, nameOf, type Write } from './support/change-order.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';

const WRITERS = 4;
const WAIT_MS = 300_000;
/** Pause in ms before a failed request is sent again. */
const PAUSE_MS = 50;

/** A part of the feed, and the token of the position after it. */
interface Part {
  readonly items: readonly Change[];
  readonly next: string;
}

/** Requests a part of the feed for job boards. @throws {Error} when the status of the answer is not 2xx */
async function request(stage: Stage, query: string, init: RequestInit = {}): Promise<Response> {
  const { baseUrl, token } = stage.client;
  const response = await fetch(`${baseUrl}/changes?resources=job_boards&${query}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
  if (!response.ok) throw new Error(`GET /changes: ${response.status} ${await response.text()}`);
  return response;
}

type Read = (stage: Stage, token: string, signal: AbortSignal) => AsyncGenerator<Part>;

/** Reads pages with one chain of tokens. Each request waits for changes. */
async function* byWaiting(stage: Stage, token: string, signal: AbortSignal): AsyncGenerator<Part> {
  for (let next = token; ; ) {
    const part = (await (await request(stage, `since=${next}&limit=7&wait=1`, { signal })).json()) as Part;
    yield part;
    next = part.next;
  }
}

/** Reads one stream of server-sent events, until it ends. */
async function* byStream(stage: Stage, token: string, signal: AbortSignal): AsyncGenerator<Part> {
  const headers = { accept: 'text/event-stream', 'last-event-id': token };
  const { body } = await request(stage, 'since=now', { headers, signal });
  let text = '';
  for await (const bytes of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + bytes).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, next] = /^id: (.*)$/m.exec(event) ?? [];
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (next !== undefined) yield { items: data === undefined ? [] : [JSON.parse(data) as Change], next };
    }
  }
}

/** A client that follows the changes feed. After an error, it continues from the last token that it has. */
class Follower {
  readonly entries: Change[] = [];
  readonly #controller = new AbortController();
  #token = '';
  #run: Promise<void> = Promise.resolve();

  constructor(
    private readonly stage: Stage,
    private readonly read: Read,
  ) {}

  async start(): Promise<void> {
    this.#token = ((await (await request(this.stage, 'since=now')).json()) as Part).next;
    this.#run = this.#follow();
  }

  /** Waits until the client has read the creation of the last item, and then ends it. */
  async finish(lastId: number): Promise<void> {
    const hasLast = (): boolean => this.entries.some(({ id }) => id === lastId);
    await Promise.race([waitUntil('the last change was read', WAIT_MS, hasLast), this.#run]);
    this.#controller.abort();
    await this.#run;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      try {
        for await (const { items, next } of this.read(this.stage, this.#token, signal)) {
          this.entries.push(...items);
          this.#token = next;
        }
      } catch (error) {
        if (/: 4\d\d /.test(String(error))) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }
}

/** Clients that create, rename and delete job boards. Each sends one request after the other. */
class Writers {
  /** All writes whose item is known. It is unknown when a creation was not answered. */
  readonly writes: Write[] = [];
  acknowledged = 0;
  unanswered = 0;
  #clock = 0;
  #isOver = false;
  readonly #runs: Promise<void>[];

  constructor(private readonly stage: Stage) {
    this.#runs = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
  }

  /** Ends the writes, and creates a last job board. @returns the id of this job board */
  async finish(): Promise<number> {
    this.#isOver = true;
    await Promise.all(this.#runs);
    for (let turn = 0; ; turn += 1) {
      const last = await this.#create({ name: 'Last', code: `last-${turn}` });
      if (last !== undefined) return last;
    }
  }

  async #write(writer: number): Promise<void> {
    const { client } = this.stage;
    for (let turn = 0; !this.#isOver; turn += 1) {
      const board = { name: 'Board', code: `board-${writer}-${turn}` };
      const id = await this.#create(board);
      if (id === undefined) continue;
      const path = `/job_boards/${id}`;
      const renamed = { ...board, name: `Board ${turn}` };
      await this.#send('updated', id, async () => (await client.put(path, renamed)).id);
      if (turn % 2 === 0) await this.#send('deleted', id, () => client.delete(path).then(() => id));
    }
  }

  /** Creates a job board. @returns its id, or undefined when the request fails */
  #create(board: object): Promise<number | undefined> {
    return this.#send('created', undefined, async () => (await this.stage.client.post('/job_boards', board)).id);
  }

  /**
   * Sends a write, and notes when it was sent and answered.
   * @param known  the id of the item; undefined when only the answer has it
   * @param send  sends the request and returns the id of the item
   * @returns the id of the item, or undefined when the request fails
   */
  async #send(change: string, known: number | undefined, send: () => Promise<number>): Promise<number | undefined> {
    const sent = this.#tick();
    const note = (id: number | undefined, answered: number): void => {
      if (id !== undefined) this.writes.push({ name: nameOf({ change, resource: 'job_boards', id }), sent, answered });
    };
    try {
      const id = await send();
      note(id, this.#tick());
      this.acknowledged += 1;
      return id;
    } catch {
      note(known, Infinity);
      this.unanswered += 1;
      await sleep(PAUSE_MS);
      return undefined;
    }
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
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

/**
 * Reads the committed changes from the events. Each change has exactly one event. The service records events by other
 * code than the entries of the feed.
 */
const COMMITTED = `SELECT CASE type WHEN 'JOB_BOARD_CREATE' THEN 'created' WHEN 'JOB_BOARD_UPDATE' THEN 'updated'
    ELSE 'deleted' END || ' job_boards ' || subject_id AS entry
  FROM domain_events WHERE subject_type = 'job_board'`;

for (const [fault, inject] of Object.entries(FAULTS)) {
  faultTest({ number: 41, fault: `${fault} while clients follow the changes`, isFast: true }, async (stage, report) => {
    const waiting = new Follower(stage, byWaiting);
    const streaming = new Follower(stage, byStream);
    const followers = [waiting, streaming];
    for (const follower of followers) await follower.start();
    const writers = new Writers(stage);
    for (const faults = sized(20, 2); report.faults < faults; report.faults += 1) {
      const before = followers.map(({ entries }) => entries.length);
      await waitUntil('the clients follow', WAIT_MS, () =>
        followers.every(({ entries }, index) => entries.length > (before[index] ?? 0) + 10),
      );
      await inject(stage);
    }
    const last = await writers.finish();
    for (const follower of followers) await follower.finish(last);
    const { rows } = await stage.database.query<{ entry: string }>(COMMITTED);
    // Compares sorted lists, because changes are committed in another order than that of their ids.
    expect(waiting.entries.map(nameOf).sort()).toEqual(rows.map(({ entry }) => entry).sort());
    expect(streaming.entries).toEqual(waiting.entries);
    const { acknowledged, unanswered, writes } = writers;
    expect(misplacedEntries(waiting.entries, writes)).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
    expect(rows.length).toBeLessThanOrEqual(acknowledged + unanswered);
    report.note(`${rows.length} changes followed; ${acknowledged} writes acknowledged, ${unanswered} unanswered`);
  });
}
