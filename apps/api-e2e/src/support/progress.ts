import { EventEmitter } from 'node:events';

/** The kinds of processes, one for each app. */
export type Kind = 'api' | 'notifier';

/**
 * Emits an event when a process has unfinished work. The event `api` means that the proxy has passed on a request; it
 * has the index of the process. The event `notifier` means that a receiver or the mail server has a message that it has
 * not answered yet.
 */
export const progress = new EventEmitter<Record<Kind, [index?: number]>>();
