/** The rows of one kind that an anonymisation or a deletion has cleared or deleted. It has no personal values. */
export interface Removal {
  /**
   * The name of the resource of the rows. For rows that clients cannot read one by one, the name of the kind of data.
   */
  readonly kind: string;
  /** `cleared` means that the rows stay without their personal values. */
  readonly action: 'cleared' | 'deleted';
  readonly count: number;
  /** The ids of the rows, when their kind is a resource. */
  readonly ids?: readonly number[];
}

/** A text of somebody else that still mentions an anonymised person. It has no personal values. */
export interface RemainingMention {
  readonly resource: string;
  readonly id: number;
  readonly url: string;
  /** JSON pointer to the text in the item, or in the answer at `url`. */
  readonly property: string;
}

/** Collects what is removed. Each statement reports its own rows, so that the report is always complete. */
export class RemovalReport {
  readonly #removals = new Map<string, Removal>();
  /** The texts of others that still mention the person, sorted by resource. */
  remaining: readonly RemainingMention[] = [];
  /**
   * Names of the resources with texts that contain a common word of the person, such as a common first name. The search
   * left out this word, because too many texts contain it.
   */
  tooManyIn: readonly string[] = [];

  /** Adds rows of a resource. Rows that are deleted no longer count as cleared. */
  addItems(kind: string, action: Removal['action'], rows: readonly { readonly id: number }[]): void {
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    this.#add({ kind, action, count: ids.length, ids });
  }

  /** Adds a number of rows that clients cannot read one by one. */
  addCount(kind: string, action: Removal['action'], count: number): void {
    this.#add({ kind, action, count });
  }

  /** The removals, in the order in which their kinds were first added. Kinds without rows are absent. */
  get removals(): readonly Removal[] {
    return [...this.#removals.values()];
  }

  #add(removal: Removal): void {
    if (removal.count === 0) return;
    const before = this.#removals.get(removal.kind);
    this.#removals.set(removal.kind, before?.action === removal.action ? joined(before, removal) : removal);
  }
}

/** Joins two removals of the same kind. An item that is in both counts once. */
function joined(before: Removal, removal: Removal): Removal {
  if (!before.ids || !removal.ids) return { ...removal, count: before.count + removal.count };
  const ids = [...new Set([...before.ids, ...removal.ids])].sort((a, b) => a - b);
  return { ...removal, ids, count: ids.length };
}
