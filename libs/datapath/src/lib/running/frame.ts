import { isMoment, parseDay, parseMoment } from '../syntax/calendar.js';
import { MISFIT, type Scalar } from '../checking/condition.js';
import { foldCase } from './fold-case.js';
import { LIMITS } from '../syntax/limits.js';
import { type ResolvedDatapath } from '../checking/resolve.js';
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

/** The same value with the case of its texts folded. */
export function foldValue(value: SlotValue): SlotValue {
  if (isList(value)) return value.map((element) => (typeof element === 'string' ? foldCase(element) : element));
  return typeof value === 'string' ? foldCase(value) : value;
}

/** The values of one event, read when first needed. */
export class Frame {
  /** By slot; undefined until read. Not made with a length: an array of gaps, or of integers at first, is slower to read. */
  readonly values: (SlotValue | undefined)[] = [];
  /** Whether a program met a value that could not be had. */
  hasFailed = false;
  private folded: Map<number, SlotValue> | undefined = undefined;
  private zoneOfContext: TimeZone | typeof FAILED | undefined;
  private nowOfContext: number | typeof FAILED | undefined;
  private todayOfContext: number | typeof FAILED | undefined;

  constructor(
    /** The datapaths by number. */
    readonly slots: readonly (ResolvedDatapath | undefined)[],
    private readonly context: EvaluationContext,
    /** How many of the values get a place at once; where most numbers are free, the others get theirs when they are read. */
    prepared = slots.length,
  ) {
    for (let count = prepared; count > 0; count--) this.values.push(undefined);
  }

  read(number: number): SlotValue {
    const value = this.values[number];
    return value === undefined ? this.load(number) : value;
  }

  /** As `read`, with the case of texts folded. */
  readFolded(number: number): SlotValue {
    const known = this.folded?.get(number);
    if (known !== undefined) return known;
    const value = foldValue(this.read(number));
    (this.folded ??= new Map()).set(number, value);
    return value;
  }

  /** Value of a slot that was not read before. */
  load(number: number): SlotValue {
    const slot = this.slots[number];
    const value = slot === undefined ? null : this.valueOf(slot);
    this.values[number] = value;
    return value;
  }

  /** Failed when the context does not say it. */
  get zone(): TimeZone | typeof FAILED {
    return (this.zoneOfContext ??= this.readZone());
  }

  /** DATE("now") in milliseconds; failed when the context has no valid date. */
  get now(): number | typeof FAILED {
    return (this.nowOfContext ??= this.readNow());
  }

  /** DATE("today") as a day. */
  get today(): number | typeof FAILED {
    return (this.todayOfContext ??= this.dayOf(this.now));
  }

  /** The calendar date of a moment in the zone. */
  dayOf(ms: number | typeof FAILED): number | typeof FAILED {
    const { zone } = this;
    return ms === FAILED || zone === FAILED ? FAILED : zone.dayOf(ms);
  }

  private readZone(): TimeZone | typeof FAILED {
    try {
      return timeZoneOf(this.context.timeZone);
    } catch {
      return FAILED;
    }
  }

  /** What merely looks like a `Date` throws here. */
  private readNow(): number | typeof FAILED {
    try {
      const ms = Date.prototype.getTime.call(this.context.now);
      return isMoment(ms) ? ms : FAILED;
    } catch {
      return FAILED;
    }
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

  /** Goes by the length, once asked for and checked: a list may bring an iterator of its own that never ends. */
  private toScalars(value: unknown, type: ResolvedDatapath['type']): SlotValue {
    const elements: readonly unknown[] = Array.isArray(value)
      ? value
      : value === null || value === undefined
        ? []
        : [value];
    const length: unknown = elements.length;
    if (typeof length !== 'number' || !(length <= LIMITS.toManyElements)) return FAILED;
    if (length === 0) return null;
    const scalars: Scalar[] = [];
    for (let index = 0; index < length; index++) scalars.push(this.toScalar(elements[index], type));
    return scalars;
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
        return (type === 'date' || type === 'datetime') && value instanceof Date
          ? this.dateToTemporal(value, type)
          : null;
      default:
        return null;
    }
  }

  private textToTemporal(text: string, type: 'date' | 'datetime'): Scalar {
    const day = parseDay(text);
    if (day !== undefined) return type === 'date' ? day : zoneOf(this).startOf(day);
    const ms = parseMoment(text);
    if (ms === undefined) return MISFIT;
    return type === 'datetime' ? ms : zoneOf(this).dayOf(ms);
  }

  /** An invalid `Date` is no value, as NaN is none. */
  private dateToTemporal(date: Date, type: 'date' | 'datetime'): Scalar {
    const ms = Date.prototype.getTime.call(date);
    if (!isMoment(ms)) return Number.isNaN(ms) ? null : MISFIT;
    return type === 'datetime' ? ms : zoneOf(this).dayOf(ms);
  }
}

/** The zone, where a value cannot be had without it: the failure is caught where the value is read. */
function zoneOf({ zone }: Frame): TimeZone {
  if (zone === FAILED) throw new RangeError('the context has no time zone');
  return zone;
}

/** Moves a date or moment; the result counts days when `milliseconds` is 0 and the base does, else milliseconds. */
export function shift(frame: Frame, base: number, { fromDay, days, milliseconds }: Shift): number | typeof FAILED {
  if (fromDay && milliseconds === 0) return base + days;
  const { zone } = frame;
  if (zone === FAILED) return FAILED;
  return fromDay ? zone.startOf(base + days) + milliseconds : zone.addDays(base, days) + milliseconds;
}

export interface Shift {
  readonly fromDay: boolean;
  readonly days: number;
  readonly milliseconds: number;
}
