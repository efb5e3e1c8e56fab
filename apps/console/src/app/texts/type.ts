import { type en } from './en.js';

/** The texts of the shell and of the shared parts in one language. */
export type AppTexts = Readonly<Record<keyof typeof en, string>>;
