import { type Frame } from './frame.js';

/** Three answers: undefined when a value that decides could not be had. */
export type Truth = boolean | undefined;

export type Test = (frame: Frame) => Truth;
