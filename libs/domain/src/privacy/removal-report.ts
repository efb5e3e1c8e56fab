/** Rows of one kind whose data an anonymisation or a deletion removes. It has no personal values. */
export interface Removal {
  /** Name of the resource of the rows, or of the kind of data when clients cannot read the rows one by one. */
  readonly kind: string;
  /** `cleared` rows stay and lose their personal values. */
  readonly action: 'cleared' | 'deleted';
  readonly count: number;
  /** Ids of the rows, for kinds that are resources. */
  readonly ids?: readonly number[];
}

/** A text that still mentions an anonymised person and belongs to somebody else. It has no personal values. */
export interface RemainingMention {
  readonly resource: string;
  readonly id: number;
  readonly url: string;
  /** JSON pointer of the text in the item, or in the answer at `url`. */
  readonly property: string;
}

/** Collects what statements remove. Each statement reports its own rows, so that the report is never out of date. */
export class RemovalReport {
  readonly #removals = new Map<string, Removal>();
  /** The texts of others that still mention the person, in the order of their resources. */
  remaining: readonly RemainingMention[] = [];
  /** Names of the resources whose texts have a word of the person that is in too many texts. */
  tooManyIn: readonly string[] = [];

  /** Adds rows of a resource. Deleted rows replace rows of the same resource that were cleared before. */
  addItems(kind: string, action: Removal['action'], rows: readonly { readonly id: number }[]): void {
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    this.#add({ kind, action, count: ids.length, ids });
  }

  /** Adds rows that clients cannot read one by one. */
  addCount(kind: string, action: Removal['action'], count: number): void {
    this.#add({ kind, action, count });
  }

  /** The removals in the order of their first rows. Kinds without rows are absent. */
  get removals(): readonly Removal[] {
    return [...this.#removals.values()];
  }

  #add(removal: Removal): void {
    if (removal.count === 0) return;
    const before = this.#removals.get(removal.kind);
    this.#removals.set(removal.kind, before?.action === removal.action ? joined(before, removal) : removal);
  }
}

/** Joins two removals of one kind. An item counts once. */
function joined(before: Removal, removal: Removal): Removal {
  if (!before.ids || !removal.ids) return { ...removal, count: before.count + removal.count };
  const ids = [...new Set([...before.ids, ...removal.ids])].sort((a, b) => a - b);
  return { ...removal, ids, count: ids.length };
}
