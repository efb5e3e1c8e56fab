import { appendFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { type Verdict } from './ledger.js';
import { options } from './options.js';
import { Stage, type StageOptions } from './stage.js';

export interface FaultTest {
  /** As in the list of fault tests. */
  readonly number: number;
  /** A few words for the table. */
  readonly fault: string;
  /** Whether it belongs to the fast half. */
  readonly isFast?: boolean;
}

const SHOWN = 5;

/** What one test says about itself in the closing table. */
export class Report {
  readonly notes: string[] = [];
  /** Injected so far. */
  faults = 0;
  readonly sums = {
    messages: 0,
    requests: 0,
    duplicates: 0,
    missing: 0,
    unexpected: 0,
    badSignatures: 0,
    changedBodies: 0,
  };
  duplicatesAtMost: number | null = null;

  /** A line below the table: something measured, or how far a test was cut short. */
  note(text: string): void {
    this.notes.push(text);
  }

  /**
   * The invariant of every test: nothing missing, nothing unexpected, no bad signature, one body for each message, no gap
   * in a sequence, and no message twice, or only so many where a fault makes that unavoidable.
   */
  check(verdict: Verdict, { duplicatesAtMost }: { readonly duplicatesAtMost?: number } = {}): void {
    this.sums.messages += verdict.messages;
    this.sums.requests += verdict.requests;
    this.sums.duplicates += verdict.duplicates;
    this.sums.badSignatures += verdict.badSignatures;
    for (const name of ['missing', 'unexpected', 'changedBodies'] as const) this.sums[name] += verdict[name].length;
    if (duplicatesAtMost !== undefined) this.duplicatesAtMost = (this.duplicatesAtMost ?? 0) + duplicatesAtMost;
    const found = {
      missing: verdict.missing.slice(0, SHOWN),
      unexpected: verdict.unexpected.slice(0, SHOWN),
      changedBodies: verdict.changedBodies.slice(0, SHOWN),
      sequenceGaps: verdict.sequenceGaps.slice(0, SHOWN),
      badSignatures: verdict.badSignatures,
      duplicatesBeyond: Math.max(0, verdict.duplicates - (duplicatesAtMost ?? 0)),
    };
    expect(found).toEqual({
      missing: [],
      unexpected: [],
      changedBodies: [],
      sequenceGaps: [],
      badSignatures: 0,
      duplicatesBeyond: 0,
    });
  }
}

/** Who names numbers gets them, in the fast half's size when that is asked for too. */
const isChosen = ({ number, isFast = false }: FaultTest): boolean =>
  options.only?.includes(number) ?? (!options.isFast || isFast);

/**
 * One test of the list, with a stage of its own that is taken down whatever happens, and a row in the closing table.
 * Several tests may have the same number.
 */
export function faultTest(
  test: FaultTest & { readonly stage?: StageOptions },
  body: (stage: Stage, report: Report) => Promise<void>,
): void {
  if (!isChosen(test)) return;
  it(`${test.number} ${test.fault}`, async () => {
    const report = new Report();
    const startedAt = performance.now();
    let stage: Stage | undefined;
    let isOk = false;
    try {
      stage = await Stage.start(test.stage);
      await body(stage, report);
      isOk = true;
    } catch (error) {
      if (stage) console.error(stage.output);
      throw error;
    } finally {
      await stage?.stop();
      const { number, fault } = test;
      const { faults, duplicatesAtMost, notes, sums } = report;
      const row = {
        number,
        fault,
        ok: isOk,
        faults,
        ...sums,
        duplicatesAtMost,
        seconds: (performance.now() - startedAt) / 1_000,
        notes,
      };
      appendFileSync(options.report, `${JSON.stringify(row)}\n`);
    }
  });
}

/** The size of a test: the first in the full run, the second in the fast half. */
export const sized = (full: number, fast: number): number => (options.isFast ? fast : full);
