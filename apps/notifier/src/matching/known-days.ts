import { dayOf, ensureDeliveryDays } from '@ats/domain';
import { type Database } from '@ats/postgres';

/** Far less than the shortest time after which days are dropped. */
const REMEMBERED_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * The days that are known to have a place in the log of deliveries. They are made ahead, so this is for events that waited
 * for long; a day of long ago may be dropped again at any time and is looked up each time.
 */
export class KnownDays {
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
