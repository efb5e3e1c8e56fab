/** Something said inside the process, to save the time until polling would find it. */
class Signal {
  private readonly listeners: (() => void)[] = [];

  onRaise(listener: () => void): void {
    this.listeners.push(listener);
  }

  readonly raise = (): void => {
    for (const listener of this.listeners) listener();
  };
}

/** An event was committed. */
export class EventSignal extends Signal {}

/** A delivery has become due, or a place for one has become free. */
export class DueSignal extends Signal {}

/** An e-mail has become due, or a place for one has become free. */
export class MailSignal extends Signal {}
