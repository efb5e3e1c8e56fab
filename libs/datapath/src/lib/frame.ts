import { isMoment, parseDay, parseMoment } from './calendar.js';
import { MISFIT, type Scalar } from './condition.js';
import { LIMITS } from './limits.js';
import { type ResolvedDatapath } from './resolve.js';
import { type TimeZone, timeZoneOf } from './time-zone.js';

/** What an expression is judged on. */
export interface EvaluationContext {
  /**
   * The value of a datapath, given by its canonical text: a scalar; an array for a to-many datapath; null or undefined
   * when there is none. A date is `YYYY-MM-DD` text; a datetime is ISO text or a `Date`. Asked at most once per datapath
   * and evaluation. May throw when a value cannot be had: what depends on it is then unknown.
   */
  readonly valueOf: (datapath: string) => unknown;
  /** The moment of the event, not of the evaluation: DATE("now"), and the day of DATE("today"). */
  readonly now: Date;
  /** IANA name, such as `Europe/Berlin`; an unknown one counts as UTC. */
  readonly timeZone: string;
}

/** Stands for a value that could not be had. */
export const FAILED = Symbol('failed');

export type SlotValue = Scalar | readonly Scalar[] | typeof FAILED;

/** Whether a slot holds several values. */
export function isList(value: SlotValue): value is readonly Scalar[] {
  return Array.isArray(value);
}

/** The values of one event, read when first needed. */
export class Frame {
  /** By slot; undefined until read. Not made with a length: an array of gaps, or of integers at first, is slower to read. */
  readonly values: (SlotValue | undefined)[] = [];
  /** Whether a program met a value that could not be had. */
  hasFailed = false;
  private zoneOfContext: TimeZone | undefined;
  private todayOfContext: number | typeof FAILED | undefined;

  constructor(
    /** The datapaths by number. */
    readonly slots: readonly (ResolvedDatapath | undefined)[],
    private readonly context: EvaluationContext,
  ) {
    for (let count = slots.length; count > 0; count--) this.values.push(undefined);
  }

  read(number: number): SlotValue {
    const value = this.values[number];
    return value === undefined ? this.load(number) : value;
  }

  /** Value of a slot that was not read before. */
  load(number: number): SlotValue {
    const slot = this.slots[number];
    const value = slot === undefined ? null : this.valueOf(slot);
    this.values[number] = value;
    return value;
  }

  get zone(): TimeZone {
    return (this.zoneOfContext ??= timeZoneOf(this.context.timeZone));
  }

  /** DATE("now") in milliseconds; failed when the context has no valid date. */
  get now(): number | typeof FAILED {
    const { now } = this.context;
    const ms = now instanceof Date ? now.getTime() : NaN;
    return isMoment(ms) ? ms : FAILED;
  }

  /** DATE("today") as a day. */
  get today(): number | typeof FAILED {
    if (this.todayOfContext === undefined) {
      const { now } = this;
      this.todayOfContext = now === FAILED ? FAILED : this.zone.dayOf(now);
    }
    return this.todayOfContext;
  }

  private valueOf({ text, type, many }: ResolvedDatapath): SlotValue {
    try {
      const value = this.context.valueOf(text);
      if (!many) return this.toScalar(value, type);
      return this.toScalars(value, type);
    } catch {
      return FAILED;
    }
  }

  private toScalars(value: unknown, type: ResolvedDatapath['type']): SlotValue {
    const elements: readonly unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
    if (elements.length > LIMITS.toManyElements) return FAILED;
    if (elements.length === 0) return null;
    return Array.from(elements, (element) => this.toScalar(element, type));
  }

  /** A value as its declared type has it; null when there is none, and a misfit when it is of another type. */
  private toScalar(value: unknown, type: ResolvedDatapath['type']): Scalar {
    switch (typeof value) {
      case 'number':
        if (!Number.isFinite(value)) return null;
        return type === 'integer' || type === 'decimal' ? value : MISFIT;
      case 'string':
        if (type === 'text' || type === 'rich_text') return value;
        return type === 'date' || type === 'datetime' ? this.textToTemporal(value, type) : MISFIT;
      case 'boolean':
        return type === 'boolean' ? value : MISFIT;
      case 'object':
        return (type === 'date' || type === 'datetime') && value instanceof Date ? this.dateToTemporal(value, type) : null;
      default:
        return null;
    }
  }

  private textToTemporal(text: string, type: 'date' | 'datetime'): Scalar {
    const day = parseDay(text);
    if (day !== undefined) return type === 'date' ? day : this.zone.startOf(day);
    const ms = parseMoment(text);
    if (ms === undefined) return MISFIT;
    return type === 'datetime' ? ms : this.zone.dayOf(ms);
  }

  /** An invalid `Date` is no value, as NaN is none. */
  private dateToTemporal(date: Date, type: 'date' | 'datetime'): Scalar {
    const ms = date.getTime();
    if (!isMoment(ms)) return Number.isNaN(ms) ? null : MISFIT;
    return type === 'datetime' ? ms : this.zone.dayOf(ms);
  }
}

/** Moves a date or moment; the result counts days when `milliseconds` is 0 and the base does, else milliseconds. */
export function shift(frame: Frame, base: number, { fromDay, days, milliseconds }: Shift): number {
  if (!fromDay) return frame.zone.addDays(base, days) + milliseconds;
  return milliseconds === 0 ? base + days : frame.zone.startOf(base + days) + milliseconds;
}

export interface Shift {
  readonly fromDay: boolean;
  readonly days: number;
  readonly milliseconds: number;
}
