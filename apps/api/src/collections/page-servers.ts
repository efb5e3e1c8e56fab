import { type Database, type PageReads, type Replica, type WalPosition } from '@ats/postgres';
import { LRUCache } from 'lru-cache';
import { monotonicClock } from './clock.js';
import { CountCache } from './count-cache.js';
import { type WrittenPositions } from './written-positions.js';

/** The connections to one PostgreSQL server, for reading pages and counting collections. */
export interface PageServer extends PageReads {
  /** The cache of counts that were made on this server. */
  readonly counts: CountCache;
}

/** The last known write of one credential. */
interface Writer {
  readonly position: WalPosition;
  /** True when the credential has read from the replica since its last write. */
  isOnReplica: boolean;
}

export interface PageServersOptions {
  readonly database: Database;
  /** The count cache of the primary. */
  readonly counts: CountCache;
  /** The replica that serves pages. `replica` and `written` are either both present or both absent. */
  readonly replica?: Replica | undefined;
  readonly written?: WrittenPositions | undefined;
}

const MAX_WRITERS = 10_000;

/**
 * Chooses the server for the pages of collections: the replica when it shows all writes of the credential, else the
 * primary.
 */
export class PageServers {
  readonly primary: PageServer;
  readonly #replicaCounts: CountCache;
  readonly #writers = new LRUCache<number, Writer>({ max: MAX_WRITERS });

  constructor(private readonly options: PageServersOptions) {
    const { database, counts } = options;
    this.primary = { reading: database.reading, counting: database.counting, counts };
    // Does not compare snapshots of the replica. Rows may differ between equal snapshots, because a snapshot of a
    // replica omits running transactions.
    this.#replicaCounts = new CountCache(database.counting.size, monotonicClock, {
      share: database.counting.share,
      comparesSnapshots: false,
      note: counts.note,
    });
  }

  async serverFor(credentialId: number): Promise<PageServer> {
    const { replica, written } = this.options;
    if (!replica || !written) return this.primary;
    const { refusal } = replica;
    const position = refusal ? undefined : await written.find(credentialId);
    if (position === undefined) {
      replica.refuse(refusal ?? 'unknown_writes');
      return this.primary;
    }
    const writer = this.#noteWriter(credentialId, position);
    const reads = replica.readsFor(position, this.primary);
    if (!reads) return this.primary;
    // The cached counts of the replica may be older than the last write of the credential. The credential then gets a
    // new count.
    if (!writer.isOnReplica) this.#replicaCounts.noteWrite(credentialId);
    writer.isOnReplica = true;
    return { reading: reads.reading, counting: reads.counting, counts: this.#replicaCounts };
  }

  /** Tells the count cache of this process about commits of other processes. */
  #noteWriter(credentialId: number, position: WalPosition): Writer {
    if (position === 0) return { position, isOnReplica: true };
    const known = this.#writers.get(credentialId);
    if (known && known.position >= position) return known;
    this.primary.counts.noteWrite(credentialId);
    const writer = { position, isOnReplica: false };
    this.#writers.set(credentialId, writer);
    return writer;
  }
}
