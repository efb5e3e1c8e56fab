import { type DialogOptions, dialog as dialogIn } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { language } from '../app/i18n.js';
import './toast.js';

export { closeNearest } from '@ats/elements/parts';

/**
 * A modal dialog in the language of the console. It has a place for messages, because the rest of the page is inert
 * behind it.
 */
export const dialog = (options: Omit<DialogOptions, 'language'>): TemplateResult =>
  dialogIn({ ...options, content: html`${options.content}<ats-toast></ats-toast>`, language: language() });
