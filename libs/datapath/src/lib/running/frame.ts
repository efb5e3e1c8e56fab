import { isMoment, parseDay, parseMoment } from '../syntax/calendar.js';
import { MISFIT, type Scalar } from '../checking/condition.js';
import { assertContext, ContextError, millisecondsOf, readValue } from './check-context.js';
import { LIMITS } from '../syntax/limits.js';
import { type ResolvedDatapath } from '../checking/resolve.js';
import { type TimeZone, timeZoneOf } from './time-zone.js';

/** The result of a condition: true, false, or undefined when it depends on a value that cannot be read. */
export type Truth = boolean | undefined;

export type Test = (frame: Frame) => Truth;

/** The object and the clock for which an expression is evaluated. */
export interface EvaluationContext {
  /**
   * Returns the value of a datapath, by its canonical text: a scalar, an array for a to-many datapath, or null or
   * undefined when there is no value. A date is a text `YYYY-MM-DD`; a datetime is an ISO text or a `Date`. An
   * evaluation calls the function at most once for each datapath. Where CHANGED and WAS are allowed, it is also called
   * with texts such as `WAS(application.rating)`. It may throw when it cannot read a value. Results that depend on this
   * value are then unknown.
   */
  readonly valueOf: (datapath: string) => unknown;
  /**
   * The moment of the event, not of the evaluation. DATE("now") is this moment, and DATE("today") its day. Results that
   * depend on an invalid `Date` are unknown.
   */
  readonly now: Date;
  /** IANA name, such as `Europe/Berlin`. A result that needs the time zone is never computed with another one. */
  readonly timeZone: string;
}

/** Stands for a value that could not be read. */
export const FAILED = Symbol('failed');

/** Returns FAILED for an error that the host threw. @throws {ContextError} the given error itself, if it is one */
export function unreadable(error: unknown): typeof FAILED {
  if (error instanceof ContextError) throw error;
  return FAILED;
}

export type SlotValue = Scalar | readonly Scalar[] | typeof FAILED;

export function isList(value: SlotValue): value is readonly Scalar[] {
  return Array.isArray(value);
}

/**
 * Folds the case of a text, letter by letter and for no particular language. A final sigma counts as any other sigma.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Folds the case of a text, or of all texts in a list. Other values do not change. */
export function foldValue(value: SlotValue): SlotValue {
  if (isList(value)) return value.map((element) => (typeof element === 'string' ? foldCase(element) : element));
  return typeof value === 'string' ? foldCase(value) : value;
}

/** The values of an object that several expressions read. `DatapathTable.open` creates it; its contents are private. */
export interface OpenedContext {
  /** True after an expression has tried to read a value that cannot be read. */
  readonly hasFailed: boolean;
}

/**
 * The values of one object and the clock, for one evaluation or several. Each datapath has a slot, its index in
 * `slots`, `values` and `numbers`. Each value is read when it is first needed.
 */
export class Frame implements OpenedContext {
  /**
   * Maps each slot to its value. Undefined until the value is read. The array is filled by `push`, because JavaScript
   * engines are slower with arrays that have holes, or that at first contain only integers. The array begins as a
   * literal with eight elements, because engines create such a literal fastest.
   */
  readonly values: (SlotValue | undefined)[] = [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ];
  /**
   * Maps each slot to its value as a number. Booleans are stored as 0 and 1. All other values, and values that are not
   * read yet, are NaN. JavaScript engines store an array of numbers without pointers, so that programs read it fastest.
   */
  readonly numbers: number[] = [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN];
  /** True after a program has read a value that is FAILED. */
  hasFailed = false;
  private folded: Map<number, SlotValue> | undefined = undefined;
  private zoneOfContext: TimeZone | typeof FAILED | undefined;
  private nowOfContext: number | typeof FAILED | undefined;
  private todayOfContext: number | typeof FAILED | undefined;

  constructor(
    /** The datapaths of the frame, each at the index that is its slot. */
    readonly slots: readonly (ResolvedDatapath | undefined)[],
    private readonly context: EvaluationContext,
    /** Number of slots that are created at once. Others are created when they are read. Defaults to all. */
    prepared = slots.length,
  ) {
    assertContext(context);
    while (this.values.length < prepared) this.addSlot();
  }

  read(number: number): SlotValue {
    const value = this.values[number];
    return value === undefined ? this.load(number) : value;
  }

  /** Like `read`, but folds the case of texts. */
  readFolded(number: number): SlotValue {
    const known = this.folded?.get(number);
    if (known !== undefined) return known;
    const value = foldValue(this.read(number));
    (this.folded ??= new Map()).set(number, value);
    return value;
  }

  /** Reads a slot that has not been read yet. */
  load(number: number): SlotValue {
    const slot = this.slots[number];
    const value = slot === undefined ? null : this.valueOf(slot);
    while (this.values.length <= number) this.addSlot();
    this.values[number] = value;
    if (typeof value === 'number') this.numbers[number] = value;
    else if (typeof value === 'boolean') this.numbers[number] = value ? 1 : 0;
    return value;
  }

  private addSlot(): void {
    this.values.push(undefined);
    this.numbers.push(NaN);
  }

  /** The time zone of the context. FAILED when reading it throws. */
  get zone(): TimeZone | typeof FAILED {
    return (this.zoneOfContext ??= this.readZone());
  }

  /** DATE("now") in milliseconds. FAILED when the `Date` is invalid or cannot be read. */
  get now(): number | typeof FAILED {
    return (this.nowOfContext ??= this.readNow());
  }

  /** DATE("today") as a number of days. FAILED when `now` or `zone` is FAILED. */
  get today(): number | typeof FAILED {
    return (this.todayOfContext ??= this.dayOf(this.now));
  }

  /** Returns the calendar date of a moment in the time zone. */
  dayOf(ms: number | typeof FAILED): number | typeof FAILED {
    const { zone } = this;
    return ms === FAILED || zone === FAILED ? FAILED : zone.dayOf(ms);
  }

  private readZone(): TimeZone | typeof FAILED {
    try {
      return timeZoneOf(this.context.timeZone);
    } catch (error) {
      return unreadable(error);
    }
  }

  private readNow(): number | typeof FAILED {
    try {
      const ms = millisecondsOf(this.context.now);
      return isMoment(ms) ? ms : FAILED;
    } catch (error) {
      return unreadable(error);
    }
  }

  private valueOf({ text, type, many }: ResolvedDatapath): SlotValue {
    try {
      const value = readValue(this.context, text);
      if (!many) return this.toScalar(value, type);
      return this.toScalars(value, type);
    } catch (error) {
      return unreadable(error);
    }
  }

  /**
   * Converts a list. It reads elements by index up to a checked length, because an iterator of the list might never
   * end.
   */
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

  /**
   * Converts a value to its declared type. Returns null for a missing value, a number that is not finite and an
   * unsuitable object. Returns MISFIT for a number, text or boolean of another type.
   */
  toScalar(value: unknown, type: ResolvedDatapath['type']): Scalar {
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

  /** Converts a `Date`. An invalid `Date` becomes null, like NaN. */
  private dateToTemporal(date: Date, type: 'date' | 'datetime'): Scalar {
    const ms = Date.prototype.getTime.call(date);
    if (!isMoment(ms)) return Number.isNaN(ms) ? null : MISFIT;
    return type === 'datetime' ? ms : zoneOf(this).dayOf(ms);
  }
}

/**
 * Returns the time zone, or throws when it is FAILED. `Frame.valueOf` catches the error, and the value is then FAILED,
 * too.
 */
function zoneOf({ zone }: Frame): TimeZone {
  if (zone === FAILED) throw new RangeError('the context of this evaluation has no time zone');
  return zone;
}

/**
 * Moves a date or moment by a duration. The result is in days when `fromDay` is true and `milliseconds` is 0. Otherwise
 * it is in milliseconds.
 */
export function shift(frame: Frame, base: number, { fromDay, days, milliseconds }: Shift): number | typeof FAILED {
  if (fromDay && milliseconds === 0) return base + days;
  const { zone } = frame;
  if (zone === FAILED) return FAILED;
  return fromDay ? zone.startOf(base + days) + milliseconds : zone.addDays(base, days) + milliseconds;
}

export interface Shift {
  /** True when the moved value is a day. Otherwise it is a moment. */
  readonly fromDay: boolean;
  readonly days: number;
  readonly milliseconds: number;
}
