const setting = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** The path of the console with a slash at its end, such as `/console/` or `/recruiting/console/`. */
export const CONSOLE_BASE = setting('console-base') || '/console/';

/** The address of the service, without a slash at its end. */
export const SERVICE_URL =
  setting('console-service') ||
  new URL(CONSOLE_BASE.replace(/console\/$/, ''), location.origin).href.replace(/\/$/, '');
