import { type Database, type PageReads, type Replica, type WalPosition } from '@ats/postgres';
import { LRUCache } from 'lru-cache';
import { monotonicClock } from './clock.js';
import { CountCache } from './count-cache.js';
import { type WrittenPositions } from './written-positions.js';

/** Where a page is read and what it is a part of is counted. */
export interface PageServer extends PageReads {
  /** Of the same server. */
  readonly counts: CountCache;
}

/** What is known of a credential that has written. */
interface Writer {
  readonly position: WalPosition;
  /** Whether it was sent to the replica since. */
  isOnReplica: boolean;
}

export interface PageServersOptions {
  readonly database: Database;
  /** Of the primary. */
  readonly counts: CountCache;
  /** Both or neither. */
  readonly replica?: Replica | undefined;
  readonly written?: WrittenPositions | undefined;
}

const MAX_WRITERS = 10_000;

/** Chooses the server for the pages of collections: the replica, where there is one that shows all that the caller has written. */
export class PageServers {
  readonly primary: PageServer;
  readonly #replicaCounts: CountCache;
  readonly #writers = new LRUCache<number, Writer>({ max: MAX_WRITERS });

  constructor(private readonly options: PageServersOptions) {
    const { database, counts } = options;
    this.primary = { reading: database.reading, counting: database.counting, counts };
    // A standby does not tell the transactions in progress: snapshots that read alike may see different rows.
    this.#replicaCounts = new CountCache(database.counting.size, monotonicClock, {
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
    const writer = this.#heard(credentialId, position);
    const reads = replica.readsFor(position, this.primary);
    if (!reads) return this.primary;
    // What was counted there before may have been counted before the write was there.
    if (!writer.isOnReplica) this.#replicaCounts.noteWrite(credentialId);
    writer.isOnReplica = true;
    return { reading: reads.reading, counting: reads.counting, counts: this.#replicaCounts };
  }

  /** A write that another process has carried out is news to our counts. */
  #heard(credentialId: number, position: WalPosition): Writer {
    if (position === 0) return { position, isOnReplica: true };
    const known = this.#writers.get(credentialId);
    if (known && known.position >= position) return known;
    this.primary.counts.noteWrite(credentialId);
    const writer = { position, isOnReplica: false };
    this.#writers.set(credentialId, writer);
    return writer;
  }
}
