import { isAnswerTooLarge, type ReadStatement } from '@ats/postgres';
import {
  type CollectionRequest,
  type CollectionStatements,
  type ExportedItem,
  type Reads,
} from './collection-statement.js';
import { lookUp } from './read-page.js';

/**
 * Number of bytes that a batch of items should have. A client must receive a batch within the time for which it may
 * stall.
 */
const BATCH_BYTES = 256 * 1024;
const MAX_BATCH = 500;
const FIRST_BATCH = 20;

const statement = (text: string): ReadStatement => ({ text, parameters: [] });

/**
 * Reads all items of a collection as JSON texts, in batches of some 256 KiB.
 * @param snapshot  runs statements in one transaction, so that all batches show the data of the same moment
 * Source: docs/reference/export.md.
 */
export async function* readExport(
  snapshot: Reads,
  statements: CollectionStatements,
  request: CollectionRequest,
): AsyncGenerator<readonly string[], void, undefined> {
  const known = await lookUp(snapshot, statements, request);
  await snapshot.query(statements.exportIds({ ...request, lookups: known?.lookups }));
  await snapshot.query(statement('SAVEPOINT batch'));
  let size = FIRST_BATCH;
  for (;;) {
    const rows = await snapshot.query<{ id: number }>(statement(`FETCH ${size} FROM export_ids`));
    if (rows.length === 0) return;
    let bytes = 0;
    for await (const texts of readItems(
      snapshot,
      statements,
      rows.map(({ id }) => id),
    )) {
      bytes += texts.reduce((sum, text) => sum + text.length, 0);
      yield texts;
    }
    const wanted = Math.floor((BATCH_BYTES * rows.length) / Math.max(bytes, 1));
    // The next batch has at most twice as many items, because its items may be larger.
    size = Math.max(1, Math.min(wanted, size * 2, MAX_BATCH));
  }
}

/**
 * Reads items in one statement. When the items are too large together, the function reads each half in a statement of
 * its own.
 */
async function* readItems(
  snapshot: Reads,
  statements: CollectionStatements,
  ids: readonly number[],
): AsyncGenerator<readonly string[], void, undefined> {
  // PostgreSQL counts the bytes of all answers in a transaction. Each batch is an answer of its own, so the counter is
  // reset.
  await snapshot.query(statement(`SET LOCAL ats.answer_bytes = '0'`));
  try {
    const rows = await snapshot.query<ExportedItem>(statements.exportItems(`{${ids.join()}}`));
    yield rows.map(({ text }) => text);
    return;
  } catch (error) {
    if (!isAnswerTooLarge(error) || ids.length === 1) throw error;
  }
  await snapshot.query(statement('ROLLBACK TO SAVEPOINT batch'));
  const half = Math.ceil(ids.length / 2);
  yield* readItems(snapshot, statements, ids.slice(0, half));
  yield* readItems(snapshot, statements, ids.slice(half));
}
