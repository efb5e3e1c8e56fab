import { type AuditEntry } from '@ats/domain';

/** Time in ms within which equal refusals are one entry of the audit log. */
export const REFUSAL_WINDOW_MS = 60_000;
/**
 * Maximum number of different refusals that are counted at the same time. Further refusals are counted together,
 * without their client.
 */
const MAX_REFUSALS = 10_000;

interface Counted {
  readonly entry: AuditEntry;
  occurrences: number;
}

/**
 * Counts equal refusals, so that a client that is refused again and again adds one entry per minute.
 * Source: docs/reference/audit.md, "Refusals".
 */
export class RefusalCounts {
  readonly #counts = new Map<string, Counted>();
  #timer: NodeJS.Timeout | undefined;

  /** Counts refusals in windows. @param add  receives each entry at the end of its window */
  constructor(
    private readonly add: (entry: AuditEntry) => void,
    private readonly windowMs = REFUSAL_WINDOW_MS,
  ) {}

  count(entry: AuditEntry): void {
    const known = this.#find(entry) ?? (this.#counts.size < MAX_REFUSALS ? undefined : this.#rest(entry));
    if (known) known.occurrences++;
    else this.#counts.set(keyOf(entry), { entry, occurrences: 1 });
    this.#timer ??= setTimeout(() => this.flush(), this.windowMs).unref();
  }

  /** Ends the window of all refusals, and adds their entries. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { entry, occurrences } of this.#counts.values()) this.add({ ...entry, occurrences });
    this.#counts.clear();
  }

  #find(entry: AuditEntry): Counted | undefined {
    return this.#counts.get(keyOf(entry));
  }

  #rest(entry: AuditEntry): Counted {
    const anonymous = { ...entry, credentialId: null, recruiterId: null, address: null, requestId: null };
    const rest = this.#find(anonymous) ?? { entry: anonymous, occurrences: 0 };
    this.#counts.set(keyOf(anonymous), rest);
    return rest;
  }
}

const keyOf = ({ action, credentialId, address, scope, collection }: AuditEntry): string =>
  [action, credentialId, address, scope, collection].join(' ');
