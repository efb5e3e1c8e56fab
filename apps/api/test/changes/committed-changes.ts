import { type Api } from '../support/api-harness.js';
import { type Change } from './feed.js';

/** Keeps the rows of `change_inbox`, which `publish_changes` deletes. A rolled-back transaction leaves no rows. */
const KEEP = `
CREATE TABLE IF NOT EXISTS kept_changes (transaction_id xid8, resource text, item_id bigint, change text);
CREATE OR REPLACE FUNCTION keep_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO kept_changes VALUES (NEW.transaction_id, NEW.resource, NEW.item_id, NEW.change);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER tr_kept AFTER INSERT ON change_inbox FOR EACH ROW EXECUTE FUNCTION keep_change()`;

/** Counts the transactions that changed each item. A transaction that creates and deletes an item does not count. */
const COUNT = `
SELECT item, count(*)::integer AS amount FROM (
  SELECT resource || ' ' || item_id AS item FROM kept_changes GROUP BY transaction_id, resource, item_id
  HAVING NOT (bool_or(change = 'created') AND bool_or(change = 'deleted'))) t
GROUP BY item ORDER BY item`;

/** The changes that transactions committed. The code that publishes and reads the feed has no part in counting them. */
export class CommittedChanges {
  private constructor(private readonly database: Api['database']) {}

  static async prepare({ database }: Api): Promise<CommittedChanges> {
    await database.query(KEEP);
    return new CommittedChanges(database);
  }

  /** Counts only later changes. */
  async restart(): Promise<void> {
    await this.database.query('DELETE FROM kept_changes');
  }

  /**
   * Compares the entries of a chain with the counted changes.
   * @returns the items that have more or fewer entries than changes
   */
  async miscounted(entries: readonly Pick<Change, 'resource' | 'id'>[]): Promise<readonly string[]> {
    const counted = await this.database.query<{ item: string; amount: number }>(COUNT);
    const changes = new Map(counted.map(({ item, amount }) => [item, amount]));
    const found = new Map<string, number>();
    for (const { resource, id } of entries) found.set(`${resource} ${id}`, (found.get(`${resource} ${id}`) ?? 0) + 1);
    return [...new Set([...changes.keys(), ...found.keys()])].flatMap((item) => {
      const [entriesOfItem, changesOfItem] = [found.get(item) ?? 0, changes.get(item) ?? 0];
      return entriesOfItem === changesOfItem ? [] : [`${item}: ${entriesOfItem} entries, ${changesOfItem} changes`];
    });
  }
}
