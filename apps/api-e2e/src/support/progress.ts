import { EventEmitter } from 'node:events';

/** The kinds of processes: the two apps. */
export type Kind = 'api' | 'notifier';

/**
 * Emits an event when a process has unfinished work. For `api`, the proxy has passed on a request; the event has the
 * index of the process. For `notifier`, a receiver or the mail server has a message that it has not answered yet.
 */
export const progress = new EventEmitter<Record<Kind, [index?: number]>>();
