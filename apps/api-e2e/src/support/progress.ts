import { EventEmitter } from 'node:events';

/** Of processes: the kinds that there are several of. */
export type Kind = 'api' | 'notifier';

/**
 * Work in the middle of which somebody is at this moment, told by whoever waits for him to finish it: a request that one of the APIs has
 * (its place among them is told too), a message or an e-mail of a notifier that has not been answered.
 */
export const progress = new EventEmitter<Record<Kind, [place?: number]>>();
