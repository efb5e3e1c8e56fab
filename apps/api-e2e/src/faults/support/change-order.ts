/** An entry of the changes feed. */
export interface Change {
  readonly resource: string;
  readonly id: number;
  readonly change: string;
  readonly dt: string;
}

/** A write of a client. Each write has a name of its own, as {@link nameOf} returns it. */
export interface Write {
  readonly name: string;
  /** The times at which the client sent the request and got its answer, as numbers of one increasing sequence. */
  readonly sent: number;
  /** `Infinity` when the client got no answer. */
  readonly answered: number;
}

/** Returns an entry as text, such as `updated job_boards 7`. */
export const nameOf = ({ change, resource, id }: Pick<Change, 'change' | 'resource' | 'id'>): string =>
  `${change} ${resource} ${id}`;

/** The changes that may follow a change of the same item. */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  created: ['updated', 'deleted'],
  updated: ['updated', 'deleted'],
  deleted: [],
};

/**
 * Lists the entries that are not in the order in which the database committed them, as far as clients can tell:
 * - An item is created first and deleted last, and `dt` of its entries never decreases.
 * - A write that was answered before another write was sent comes before that write.
 */
export const misplacedEntries = (entries: readonly Change[], writes: readonly Write[]): readonly string[] => [
  ...misplacedOfItems(entries),
  ...misplacedWrites(entries, writes),
];

function misplacedOfItems(entries: readonly Change[]): readonly string[] {
  const last = new Map<string, Change>();
  return entries.flatMap((entry) => {
    const key = `${entry.resource} ${entry.id}`;
    const before = last.get(key);
    last.set(key, entry);
    const isNext = before ? FOLLOWING[before.change]?.includes(entry.change) === true : entry.change === 'created';
    if (isNext && (!before || before.dt <= entry.dt)) return [];
    return [`${nameOf(entry)} follows ${before ? nameOf(before) : 'nothing'} of the item`];
  });
}

function misplacedWrites(entries: readonly Change[], writes: readonly Write[]): readonly string[] {
  const byName = new Map(writes.map((write) => [write.name, write]));
  const misplaced: string[] = [];
  // Reads backwards. `earliest` is the write whose answer came first, among the entries that were read.
  let earliest: Write | undefined;
  for (const entry of entries.toReversed()) {
    const write = byName.get(nameOf(entry));
    if (!write) continue;
    if (earliest && earliest.answered < write.sent) misplaced.push(`${earliest.name} follows ${write.name}`);
    if (!earliest || write.answered < earliest.answered) earliest = write;
  }
  return misplaced;
}
