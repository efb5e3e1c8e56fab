import { appendFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { type Mode, type ModeVerdict } from './delivery-mode.js';
import { type Verdict } from './ledger.js';
import { options } from './options.js';
import { Stage, type StageOptions } from './stage.js';

export interface FaultTest {
  /** The number at the start of the file name. The option `--only` selects tests by it. */
  readonly number: number;
  /** The injected fault, as the summary table at the end of the run shows it. */
  readonly fault: string;
  /** True when the option `--fast` includes the test. Defaults to false. */
  readonly isFast?: boolean;
  /**
   * True for a test that also runs in each delivery mode, see `delivery-mode.ts`. Otherwise it runs only in `plain`.
   * Defaults to false.
   */
  readonly isInAllModes?: boolean;
}

type StagedTest = FaultTest & { readonly stage?: StageOptions };

const MAX_SHOWN = 5;

/** The row of one test in the summary table at the end of the run. */
export class Report {
  readonly notes: string[] = [];
  /** Number of faults injected so far. */
  faults = 0;
  readonly sums = {
    messages: 0,
    requests: 0,
    duplicates: 0,
    missing: 0,
    unexpected: 0,
    badSignatures: 0,
    changedBodies: 0,
    outOfOrder: 0,
    excess: 0,
  };
  duplicatesAtMost: number | null = null;

  /** Adds a line below the summary table: a measurement, or how the test was shortened. */
  note(text: string): void {
    this.notes.push(text);
  }

  /**
   * Checks the rules of every test. No message is missing or unexpected, every signature is valid, all requests of a
   * message have the same body, and sequence numbers have no gaps. The promises of the delivery mode are kept. At most
   * `duplicatesAtMost` messages are duplicates; the default is 0.
   */
  check(verdict: Verdict & ModeVerdict, { duplicatesAtMost }: { readonly duplicatesAtMost?: number } = {}): void {
    this.sums.messages += verdict.messages;
    this.sums.requests += verdict.requests;
    this.sums.duplicates += verdict.duplicates;
    this.sums.badSignatures += verdict.badSignatures;
    for (const name of ['missing', 'unexpected', 'changedBodies', 'outOfOrder', 'excess'] as const)
      this.sums[name] += verdict[name].length;
    if (duplicatesAtMost !== undefined) this.duplicatesAtMost = (this.duplicatesAtMost ?? 0) + duplicatesAtMost;
    if (verdict.note !== null) this.note(verdict.note);
    const found = {
      missing: verdict.missing.slice(0, MAX_SHOWN),
      unexpected: verdict.unexpected.slice(0, MAX_SHOWN),
      changedBodies: verdict.changedBodies.slice(0, MAX_SHOWN),
      sequenceGaps: verdict.sequenceGaps.slice(0, MAX_SHOWN),
      outOfOrder: verdict.outOfOrder.slice(0, MAX_SHOWN),
      excess: verdict.excess.slice(0, MAX_SHOWN),
      badSignatures: verdict.badSignatures,
      duplicatesBeyond: Math.max(0, verdict.duplicates - (duplicatesAtMost ?? 0)),
    };
    expect(found).toEqual({
      missing: [],
      unexpected: [],
      changedBodies: [],
      sequenceGaps: [],
      outOfOrder: [],
      excess: [],
      badSignatures: 0,
      duplicatesBeyond: 0,
    });
  }
}

/**
 * True for a test that this run includes. `--only` selects tests by number, even tests that `--fast` alone would skip.
 */
const isChosen = ({ number, isFast = false }: FaultTest): boolean =>
  options.only?.includes(number) ?? (!options.isFast || isFast);

/**
 * Declares a fault test, once for each of its delivery modes. The test runs on a {@link Stage} of its own, which is
 * always stopped afterwards, and writes a row of the summary table. Several tests may have the same number.
 */
export function faultTest(test: StagedTest, body: (stage: Stage, report: Report) => Promise<void>): void {
  if (!isChosen(test)) return;
  for (const mode of options.modes) if (mode === 'plain' || test.isInAllModes === true) declare(test, mode, body);
}

function declare(test: StagedTest, mode: Mode, body: (stage: Stage, report: Report) => Promise<void>): void {
  const fault = mode === 'plain' ? test.fault : `${test.fault}, ${mode}`;
  it(`the service keeps its promises during fault ${test.number}: ${fault}`, async () => {
    const report = new Report();
    const startedAt = performance.now();
    let stage: Stage | undefined;
    let isOk = false;
    try {
      stage = await Stage.start(test.stage, mode);
      await body(stage, report);
      isOk = true;
    } catch (error) {
      if (stage) console.error(stage.output);
      throw error;
    } finally {
      await stage?.stop();
      const { number } = test;
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

/** Returns `full` in a full run, and `fast` with the option `--fast`. */
export const sized = (full: number, fast: number): number => (options.isFast ? fast : full);
