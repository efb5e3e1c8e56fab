import { setTimeout as sleep } from 'node:timers/promises';
import { type Database } from '@ats/postgres';
import { CLIENT_CERTIFICATE_COLUMN } from '../notification/subscriptions/client-certificates.js';
import { CUSTOM_HEADERS_COLUMN } from '../notification/subscriptions/custom-headers.js';
import { AUTHENTICATION_COLUMN } from '../notification/subscriptions/endpoint-authentication.js';
import { ENDPOINT_KEY_COLUMN, SIGNING_KEY_COLUMN } from '../notification/subscriptions/signing-keys.js';
import { ACTIVATION_TOKEN_COLUMN } from '../rules/account-activation/activation-mail.js';
import { ANSWER_COLUMN } from '../rules/idempotency/idempotency-keys.js';
import { type KeyRing } from '../writing/key-ring.js';
import { SecretBox, SecretBoxError } from '../writing/secret-box.js';
import { type SealedColumn } from '../writing/sealed-column.js';

/**
 * All columns with sealed values, in the order of the work. Signing keys come first, because notifications cannot be
 * sent without them. Endpoints come after subscriptions, because a key can move from a subscription to an endpoint
 * during the work.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SIGNING_KEY_COLUMN,
  ENDPOINT_KEY_COLUMN,
  CUSTOM_HEADERS_COLUMN,
  AUTHENTICATION_COLUMN,
  CLIENT_CERTIFICATE_COLUMN,
  ACTIVATION_TOKEN_COLUMN,
  ANSWER_COLUMN,
];

/**
 * Number of rows that are locked together, for some milliseconds. It is small, because one stored answer may have 1 MB.
 */
const BATCH_SIZE = 50;
/** Pause in ms before the next pass, after a pass that could change nothing because apps had locked the rows. */
const PAUSE_MS = 200;
const MAX_IDLE_PASSES = 150;
const SHOWN_ROWS = 10;

export interface ResealedColumn {
  readonly table: string;
  /** The number of values that the run has sealed again with the current key. */
  readonly resealed: number;
  /** The primary keys of the rows whose value no key can open. */
  readonly unknown: readonly string[];
  /** The number of rows that did not change, because an app kept them locked. */
  readonly locked: number;
}

export interface ResealOptions {
  readonly keys: KeyRing;
  readonly say: (line: string) => void;
}

/**
 * Seals every value again that was sealed with another key than the current one. The work on a column ends when a whole
 * pass finds nothing to change. Apps may write meanwhile, and several runs may overlap: a value is replaced only if it
 * has not changed since it was read. An interrupted run loses no work. Source: docs/reference/operations.md, "Rotating
 * SECRET_KEY".
 */
export async function resealValues(
  database: Database,
  { keys, say }: ResealOptions,
): Promise<readonly ResealedColumn[]> {
  const results: ResealedColumn[] = [];
  for (const column of SEALED_COLUMNS) results.push(await resealColumn(database, column, { keys, say }));
  return results;
}

async function resealColumn(
  database: Database,
  column: SealedColumn,
  { keys, say }: ResealOptions,
): Promise<ResealedColumn> {
  const work = new ColumnWork(database, column, new SecretBox(keys, column.purpose));
  const total = await work.countValues();
  let resealed = 0;
  for (let idlePasses = 0; ; ) {
    const pass = await work.pass((count) =>
      say(`${column.table}: ${resealed + count} of ${total} values re-encrypted`),
    );
    resealed += pass.resealed;
    if (pass.locked > 0 && pass.resealed === 0) idlePasses++;
    const isGivenUp = idlePasses > MAX_IDLE_PASSES;
    if ((pass.resealed > 0 || pass.locked > 0) && !isGivenUp) {
      if (pass.resealed === 0) await sleep(PAUSE_MS);
      continue;
    }
    say(`${column.table}: checked all values, ${resealed} were re-encrypted`);
    if (pass.unknown.length > 0) say(unknownValues(column, pass.unknown));
    if (pass.locked > 0)
      say(
        `${column.table}: ${pass.locked} values were locked by other transactions and were not checked: run reseal again`,
      );
    return { table: column.table, resealed, unknown: pass.unknown, locked: pass.locked };
  }
}

const unknownValues = ({ table, primaryKey }: SealedColumn, rows: readonly string[]): string =>
  `${table}: neither key opens ${rows.length} values, in the rows with ${Object.keys(primaryKey).join(', ')} ` +
  `${rows.slice(0, SHOWN_ROWS).join('; ')}${rows.length > SHOWN_ROWS ? '; …' : ''}`;

type Row = Readonly<Record<string, string | number>> & { readonly sealed_value: Buffer };

interface Pass {
  readonly resealed: number;
  readonly unknown: readonly string[];
  readonly locked: number;
}

interface Change {
  readonly row: Row;
  readonly sealed: Buffer;
}

/**
 * Reads the values of one column and seals them again. Its SQL contains only names from {@link SEALED_COLUMNS}, never
 * input.
 */
class ColumnWork {
  readonly #keys: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly column: SealedColumn,
    private readonly secretBox: SecretBox,
  ) {
    this.#keys = Object.keys(column.primaryKey);
  }

  async countValues(): Promise<number> {
    const { table, column } = this.column;
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    return row?.count ?? 0;
  }

  /**
   * Goes through the table once in the order of the primary key. Seals every value again that was sealed with another
   * key than the current one.
   */
  async pass(onProgress: (resealed: number) => void): Promise<Pass> {
    const unknown: string[] = [];
    let [resealed, locked] = [0, 0];
    for (let rows = await this.#read(null); ; ) {
      const changes: Change[] = [];
      for (const row of rows) {
        const sealed = this.#reseal(row);
        if (sealed === undefined) unknown.push(this.#keys.map((name) => row[name]).join(' '));
        else if (sealed !== null) changes.push({ row, sealed });
      }
      if (changes.length > 0) {
        const changed = await this.#write(changes);
        resealed += changed;
        locked += changes.length - changed;
        onProgress(resealed);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH_SIZE) return { resealed, unknown, locked };
      rows = await this.#read(last);
    }
  }

  /**
   * Seals the value of a row with the current key.
   * @returns null when the value must not change, undefined when no key can open it
   */
  #reseal(row: Row): Buffer | null | undefined {
    try {
      return this.secretBox.reseal(row.sealed_value, this.column.contextOf(row));
    } catch (error) {
      if (error instanceof SecretBoxError) return undefined;
      throw error;
    }
  }

  #read(after: Row | null): Promise<Row[]> {
    const { table, column, owner, primaryKey } = this.column;
    const keys = this.#keys.join(', ');
    const { currentPrefix } = this.secretBox;
    const parameters = this.#keys.map((name, index) => `$${index + 2}::${primaryKey[name]}`).join(', ');
    return this.database.query<Row>(
      `SELECT ${keys}${owner === undefined ? '' : `, ${owner}`}, ${column} AS sealed_value FROM ${table}
       WHERE ${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${currentPrefix.length}) <> $1
       ${after ? `AND (${keys}) > (${parameters})` : ''} ORDER BY ${keys} LIMIT ${BATCH_SIZE}`,
      [currentPrefix, ...(after ? this.#keys.map((name) => after[name]) : [])],
    );
  }

  /**
   * Replaces values that have not changed since they were read. Skips rows that another transaction has locked.
   * Otherwise this command and an app could wait for each other forever.
   * @returns the number of replaced values
   */
  async #write(changes: readonly Change[]): Promise<number> {
    const { table, column, primaryKey } = this.column;
    const keys = this.#keys;
    const arrays = keys.map((name, index) => `$${index + 3}::${primaryKey[name]}[]`).join(', ');
    const isRow = keys.map((name) => `t.${name} = change.${name}`).join(' AND ');
    const isLocked = keys.map((name) => `locked.${name} = change.${name}`).join(' AND ');
    const changed = await this.database.query(
      `WITH change AS (
         SELECT * FROM unnest($1::bytea[], $2::bytea[], ${arrays}) AS c (found_value, new_value, ${keys.join(', ')})
       ), locked AS (
         SELECT ${keys.map((name) => `t.${name}`).join(', ')} FROM ${table} t JOIN change ON ${isRow}
         WHERE t.${column} = change.found_value
         ORDER BY ${keys.map((name) => `t.${name}`).join(', ')} FOR NO KEY UPDATE OF t SKIP LOCKED
       )
       UPDATE ${table} t SET ${column} = change.new_value FROM change JOIN locked ON ${isLocked}
       WHERE ${isRow} AND t.${column} = change.found_value RETURNING 1`,
      [
        changes.map(({ row }) => row.sealed_value),
        changes.map(({ sealed }) => sealed),
        ...keys.map((name) => changes.map(({ row }) => row[name])),
      ],
    );
    return changed.length;
  }
}
