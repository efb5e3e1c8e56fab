export interface BatcherOptions<Item, Result> {
  /** Does what is asked for, all of it at once. @returns a result for each item, in their order */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a failure may be the fault of one item: then each is done alone, so that the others do not fail with it. */
  readonly isFaultOfItem: (error: unknown) => boolean;
  readonly maxItems: number;
  /** Batches under way at the same time. */
  readonly parallel: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what is asked for while the batch before is under way, and does it together. Nothing waits for company: an item
 * that comes alone goes at once, and the busier it gets the larger the batches are.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // With whatever else is asked for in this turn of the event loop.
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
      if (batch.length > 1 && this.options.isFaultOfItem(error)) for (const one of batch) await this.runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
