export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'ats-console-theme';
const isTheme = (text: string | null): text is Theme => (THEMES as readonly (string | null)[]).includes(text);

/** The colours that the user has chosen. `system` follows the setting of the operating system. */
export function theme(): Theme {
  const stored = localStorage.getItem(STORED);
  return isTheme(stored) ? stored : 'system';
}

export function setTheme(next: Theme): void {
  localStorage.setItem(STORED, next);
  document.documentElement.dataset['theme'] = next;
}

document.documentElement.dataset['theme'] = theme();
