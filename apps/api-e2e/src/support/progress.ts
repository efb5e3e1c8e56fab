import { EventEmitter } from 'node:events';

/** The two apps, of which several processes may run. */
export type Kind = 'api' | 'notifier';

/**
 * Emits an event when a process has work that it has not finished. `api`: the proxy passed on a request, with the index
 * of the API process. `notifier`: a receiver or the mail server has a message that it has not answered yet.
 */
export const progress = new EventEmitter<Record<Kind, [index?: number]>>();
