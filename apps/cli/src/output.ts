type Row = Readonly<Record<string, unknown>>;

/**
 * Columns of a table when the user names none. The table shows the id and the first of these columns that its items
 * have.
 */
const USUAL_COLUMNS = [
  'title',
  'name',
  'fullname',
  'firstname',
  'lastname',
  'email',
  'type',
  'status',
  'valid_to_dt',
  'updated_dt',
];
const MOST_COLUMNS = 5;
const WIDEST_CELL = 40;

/** Matches characters that control a terminal, change the direction of a text, or are invisible. */
const CONTROL = /[\p{Cc}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Returns a text of several lines that cannot control a terminal. Each character keeps its column. */
export const forTerminal = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', ' ')
    .replaceAll(CONTROL, (character) => (character === '\n' ? character : '\ufffd'));

/** Returns a value as a text of one line that cannot control a terminal. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return forTerminal(text.replaceAll(/\s+/g, ' '));
};

/** Returns one line for each property of an item. */
export function itemText(item: Row): string {
  const lines = Object.entries(item).map(([name, value]) => [textOf(name), value] as const);
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}\n`).join('');
}

/** Returns a table of items. When no columns are named, the table has the usual columns. Long texts are cut. */
export function tableText(items: readonly Row[], columns: readonly string[] = []): string {
  const [first] = items;
  if (first === undefined) return '';
  const usual = ['id', ...USUAL_COLUMNS].filter((name) => name in first).slice(0, MOST_COLUMNS);
  const names = columns.length > 0 ? columns : usual.length > 1 ? usual : Object.keys(first).slice(0, MOST_COLUMNS);
  const cells = [names.map(textOf), ...items.map((item) => names.map((name) => shortened(textOf(item[name]))))];
  const widths = names.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > WIDEST_CELL ? `${line.slice(0, WIDEST_CELL - 1)}…` : line;
}
