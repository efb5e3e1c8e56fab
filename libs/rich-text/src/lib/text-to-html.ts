const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Converts a text to HTML that shows it unchanged: markup is escaped, line breaks and runs of spaces are kept. */
export const textToHtml = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '').replace(/(?<=^| ) | $/g, '\u00a0'))
    .join('<br />');
