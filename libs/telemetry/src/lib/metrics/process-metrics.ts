import { collectDefaultMetrics, type Registry } from 'prom-client';
import { type Instruments } from './instruments.js';

/** The versions of the running app and of Node. */
export interface BuildInfo {
  /** The version of the service. */
  readonly version: string;
  /** The version of Node, such as `v24.21.0`. */
  readonly node: string;
}

/** Adds metrics of the process: CPU, memory, open files, garbage collection and event loop delay. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/** Adds the metric `build_info`. Its value is always 1, and its labels are the version of the app and that of Node. */
export function addBuildInfo(instruments: Instruments, { version, node }: BuildInfo): void {
  instruments.gauge('build_info', 'The build that runs; always 1', ['version', 'node']).set({ version, node }, 1);
}
