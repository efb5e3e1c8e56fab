/** The path of the console with a slash at its end, such as `/console/` or `/recruiting/console/`. */
export const CONSOLE_BASE =
  document.querySelector<HTMLMetaElement>('meta[name="console-base"]')?.content ?? '/console/';

/** The address of the service, without a slash at its end. */
export const SERVICE_URL = new URL(CONSOLE_BASE.replace(/console\/$/, ''), location.origin).href.replace(/\/$/, '');
