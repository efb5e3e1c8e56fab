/** Tells the page that a part has changed the application. */
export const changed = (): Event => new Event('changed', { bubbles: true });
