import { type DialogOptions, dialog as dialogIn } from '@ats/elements/parts';
import { type TemplateResult } from 'lit';
import { language } from '../app/i18n.js';

export { closeNearest } from '@ats/elements/parts';

/** A modal dialog in the language of the console. */
export const dialog = (options: Omit<DialogOptions, 'language'>): TemplateResult =>
  dialogIn({ ...options, language: language() });
