const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Converts a plain text to HTML that shows it unchanged. Markup is escaped, and line breaks and runs of spaces stay.
 */
export const textToHtml = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '').replace(/(?<=^| ) | $/g, '\u00a0'))
    .join('<br />');
