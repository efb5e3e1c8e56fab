import { ensureDeliveryDays } from '@ats/domain';
import { dayOf, type Database } from '@ats/postgres';

/** Number of days whose partitions are remembered. It must be less than the shortest storage period of deliveries. */
const REMEMBERED_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * Creates missing partitions of the delivery tables, and remembers recent days whose partitions exist. Retention
 * creates partitions in advance, so only events that waited for days need this class. Older days are not remembered,
 * because retention may drop their partitions.
 */
export class EnsuredPartitions {
  private readonly days = new Set<string>();

  constructor(private readonly database: Database) {}

  async ensure(moments: readonly Date[], now: Date): Promise<void> {
    const missing = [...new Set(moments.map(dayOf))].filter((day) => !this.days.has(day));
    if (missing.length === 0) return;
    await ensureDeliveryDays(this.database, missing);
    const since = dayOf(new Date(now.getTime() - REMEMBERED_DAYS * DAY_MS));
    for (const day of this.days) if (day < since) this.days.delete(day);
    for (const day of missing) if (day >= since) this.days.add(day);
  }
}
