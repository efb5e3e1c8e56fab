/** A part of the notifier that starts and stops with the process. */
export interface Worker {
  readonly start?: () => void;
  /** Takes no new work. Resolves when the running work has ended. */
  readonly drain?: () => Promise<void>;
  /** Closes connections. Work that is still running fails. */
  readonly close?: () => void;
}

/** All parts of the notifier that start and stop with the process. Each module adds its own. */
export class Workers {
  private readonly workers: Worker[] = [];

  add(...workers: readonly Worker[]): void {
    this.workers.push(...workers);
  }

  start(): void {
    for (const worker of this.workers) worker.start?.();
  }

  async drain(): Promise<void> {
    await Promise.all(this.workers.map(async (worker) => await worker.drain?.()));
  }

  close(): void {
    for (const worker of this.workers) worker.close?.();
  }
}
