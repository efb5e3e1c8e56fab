/** Wakes loops of this process before their next poll. A lost signal only delays their work until that poll. */
export class Signal {
  private readonly listeners: (() => void)[] = [];

  onRaise(listener: () => void): void {
    this.listeners.push(listener);
  }

  readonly raise = (): void => {
    for (const listener of this.listeners) listener();
  };
}

/** Says that an event was committed. */
export class EventSignal extends Signal {}

/** Says that a delivery is due, or that a concurrency slot for deliveries is free. */
export class DueSignal extends Signal {}

/** Says that an e-mail is due, or that a concurrency slot for e-mails is free. */
export class MailSignal extends Signal {}
