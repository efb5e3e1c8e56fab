import type pg from 'pg';
import { boundedParsers, MAX_ANSWER_BYTES } from './answer-size.js';
import { type Consumer, runFor } from './consumer.js';
import { type ReadStatement } from './read-statement.js';

/**
 * Time in ms without a statement after which the server ends the transaction. Without this limit, a process that hangs
 * would keep the transaction open.
 */
const IDLE_MS = 50_000;

/**
 * Statements that all see the database at the same moment. They run one after the other on one connection, which is
 * occupied until `close` or `abort`.
 */
export class ReadSnapshot {
  readonly #client: pg.PoolClient;
  readonly #consumer: Consumer | undefined;
  readonly #cancel: (client: pg.PoolClient) => void;
  readonly #leave: () => void;
  #isRunning = false;
  #isOpen = true;

  private constructor({ client, consumer, cancel, leave }: ReadSnapshotOptions) {
    this.#client = client;
    this.#consumer = consumer;
    this.#cancel = cancel;
    this.#leave = leave;
  }

  /** Begins the transaction. When this fails, the connection is closed. */
  static async open(options: ReadSnapshotOptions): Promise<ReadSnapshot> {
    const snapshot = new ReadSnapshot(options);
    try {
      await snapshot.query({
        text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cursor_tuple_fraction = 1;
          SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`,
        parameters: [],
      });
      return snapshot;
    } catch (error) {
      snapshot.abort();
      throw error;
    }
  }

  /**
   * Runs one statement and returns its rows.
   * @throws {AnswerTooLargeError} when the rows are larger than an answer may be
   * @throws {pg.DatabaseError} when the server refuses the statement; the snapshot can then only be closed
   */
  async query<Row extends object>({ name, text, parameters, textsAsBytes }: ReadStatement): Promise<Row[]> {
    if (!this.#isOpen) throw new Error('the snapshot of a read was closed before this query');
    // An empty list of values is left out, because only then can the driver send several statements in one text.
    const values = parameters.length > 0 ? { values: [...parameters] } : {};
    const types = boundedParsers(MAX_ANSWER_BYTES, textsAsBytes);
    const send = () => this.#client.query<Row>({ name, text, ...values, types });
    this.#isRunning = true;
    try {
      // A stream asks for further rows outside the asynchronous context of its request, so the context is restored.
      const { rows } = await (this.#consumer ? runFor(this.#consumer, send) : send());
      return rows;
    } finally {
      this.#isRunning = false;
    }
  }

  /** Ends the transaction and returns the connection to the pool. Does nothing in a second call, or after `abort`. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      await this.#client.query('ROLLBACK');
      this.#client.release();
    } catch (error) {
      this.#client.release(error instanceof Error ? error : true);
    } finally {
      this.#leave();
    }
  }

  /** Cancels the running statement and closes the connection at once. Does nothing after `close`. */
  abort(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#isRunning) this.#cancel(this.#client);
    this.#client.release(true);
    this.#leave();
  }
}

export interface ReadSnapshotOptions {
  readonly client: pg.PoolClient;
  /** The client for which the statements run, if there is one. */
  readonly consumer: Consumer | undefined;
  /** Cancels the running statement of a connection. */
  readonly cancel: (client: pg.PoolClient) => void;
  /** Called when the snapshot no longer occupies the connection. */
  readonly leave: () => void;
}
