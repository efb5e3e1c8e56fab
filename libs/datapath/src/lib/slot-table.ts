import { type ResolvedDatapath } from './resolve.js';

/** One datapath whose value is looked up at most once per event, however many expressions use it. */
export interface Slot {
  readonly datapath: string;
  readonly type: ResolvedDatapath['type'];
  readonly many: boolean;
}

/** Numbers the datapaths of one or many expressions. */
export class SlotTable {
  readonly slots: (Slot | undefined)[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly free: number[] = [];

  slotOf(path: ResolvedDatapath): number {
    const key = keyOf(path);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.free.pop() ?? this.slots.length;
    this.slots[number] = { datapath: path.text, type: path.type, many: path.many };
    this.numbers.set(key, number);
    return number;
  }

  /** Gives a slot back that no expression reads any more. */
  release(path: ResolvedDatapath): void {
    const key = keyOf(path);
    const number = this.numbers.get(key);
    if (number === undefined) return;
    this.numbers.delete(key);
    this.slots[number] = undefined;
    this.free.push(number);
  }
}

/** One datapath may have two types, when the model changes while expressions checked before are in use. */
function keyOf({ text, type, many }: ResolvedDatapath): string {
  return `${text} ${type}${many ? '*' : ''}`;
}
