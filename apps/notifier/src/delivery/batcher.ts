export interface BatcherOptions<Item, Result> {
  /**
   * Processes a batch.
   * @returns one result for each item, in the same order
   */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * Returns true when a single item of the batch may have caused the error. Each item is then processed alone, so that
   * only the faulty item fails.
   */
  readonly isCausedByItem: (error: unknown) => boolean;
  readonly maxItems: number;
  /** Maximum number of batches that run at the same time. */
  readonly parallel: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items while the previous batch runs, and processes them together. A single item is processed at once, so
 * batches only grow under load.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // The batch starts after this turn of the event loop, so that it includes all items that are added in this turn.
      if (this.waiting.length === 1) setImmediate(() => this.startNext());
    });
  }

  private startNext(): void {
    if (this.waiting.length === 0 || this.running >= this.options.parallel) return;
    const batch = this.waiting.splice(0, this.options.maxItems);
    this.running += 1;
    void this.runBatch(batch).finally(() => {
      this.running -= 1;
      this.startNext();
    });
    this.startNext();
  }

  private async runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && this.options.isCausedByItem(error)) for (const one of batch) await this.runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
