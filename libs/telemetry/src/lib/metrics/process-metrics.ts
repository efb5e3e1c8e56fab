import { collectDefaultMetrics, type Registry } from 'prom-client';
import { type Instruments } from './instruments.js';

/** Which build of an app runs. */
export interface BuildInfo {
  readonly version: string;
  /** `v24.21.0` */
  readonly node: string;
}

/** The process itself: processor, memory, open files, garbage collection, and how late the event loop is. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/** Always 1: what it says is in its labels, and that the app is there at all. */
export function addBuildInfo(instruments: Instruments, { version, node }: BuildInfo): void {
  instruments.gauge('build_info', 'The build that runs; always 1', ['version', 'node']).set({ version, node }, 1);
}
