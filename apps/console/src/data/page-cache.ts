/** One page of a collection. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The number of all items. Undefined when the service could not count them in time. */
  readonly total: number | undefined;
}

/** Loads the page with a number. The first page has the number 1. */
export type LoadPage<Row> = (page: number, signal: AbortSignal) => Promise<Page<Row>>;

/** The number of rows that one request reads. */
export const PAGE_ROWS = 100;
/** Maximum number of pages in memory. The page that was loaded longest ago is removed first. */
const MAX_PAGES = 40;

/** Returns the number of the page that has the row at an index. */
const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS) + 1;

/** Holds the rows that a table has shown, and requests the rows that it needs. */
export class PageCache<Row> {
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #running = new Map<number, AbortController>();
  /** The pages that could not be loaded. They are requested again only after {@link retry}. */
  readonly #failed = new Set<number>();
  #total: number | undefined;
  #known = 0;

  constructor(
    private readonly load: LoadPage<Row>,
    private readonly onChange: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * The number of rows that the table shows. It is the number of all items, or of the items up to the last known page.
   */
  get length(): number {
    return this.#total ?? this.#known;
  }
  get total(): number | undefined {
    return this.#total;
  }
  get isLoading(): boolean {
    return this.#running.size > 0;
  }

  /** Returns the row at an index that starts with 0. Undefined while its page is not loaded. */
  row(index: number): Row | undefined {
    return this.#pages.get(pageOf(index))?.[index % PAGE_ROWS];
  }

  /** Returns true when the page of a row could not be loaded. */
  hasFailed(index: number): boolean {
    return this.#failed.has(pageOf(index));
  }

  /** Loads the pages of the rows from `first` to `last`. Aborts requests for pages that are no longer needed. */
  need(first: number, last: number): void {
    const from = pageOf(first);
    const to = pageOf(Math.max(first, last));
    for (const [page, controller] of this.#running) if (page < from || page > to) this.#giveUp(page, controller);
    for (let page = from; page <= to; page += 1)
      if (!this.#pages.has(page) && !this.#failed.has(page)) void this.#request(page);
  }

  /** Forgets all failures, so that pages that could not be loaded are requested again when they are visible. */
  retry(): void {
    this.#failed.clear();
    if (this.length === 0) this.need(0, 0);
    this.onChange();
  }

  /** Aborts all requests, because the table was removed. */
  stop(): void {
    for (const [page, controller] of this.#running) this.#giveUp(page, controller);
  }

  #giveUp(page: number, controller: AbortController): void {
    this.#running.delete(page);
    controller.abort();
  }

  async #request(page: number): Promise<void> {
    if (this.#running.has(page)) return;
    const controller = new AbortController();
    this.#running.set(page, controller);
    try {
      const { rows, total } = await this.load(page, controller.signal);
      if (controller.signal.aborted) return;
      this.#store(page, rows, total);
    } catch (error) {
      if (!controller.signal.aborted) {
        this.#failed.add(page);
        this.onError(error);
      }
    } finally {
      if (this.#running.get(page) === controller) this.#running.delete(page);
    }
    if (!controller.signal.aborted) this.onChange();
  }

  #store(page: number, rows: readonly Row[], total: number | undefined): void {
    this.#pages.set(page, rows);
    this.#total = total;
    // Without a count, a full page is taken to have a further row after it, so that users can scroll on.
    const end = (page - 1) * PAGE_ROWS + rows.length;
    this.#known = Math.max(this.#known, rows.length === PAGE_ROWS ? end + 1 : end);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}
