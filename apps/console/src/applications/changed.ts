/** Tells the page that one of its parts has changed the application. */
export const changed = (): Event => new Event('changed', { bubbles: true });
