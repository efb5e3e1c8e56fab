type Row = Readonly<Record<string, unknown>>;

/** Columns of a table when the caller names none: the first of these that an item has, after `id`. */
const USUAL_COLUMNS = ['title', 'name', 'fullname', 'firstname', 'lastname', 'email', 'type', 'status', 'updated_dt'];
const MOST_COLUMNS = 5;
const WIDEST_CELL = 40;

/** A value as a text of one line, which cannot control a terminal. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A stored text must not start a new line or control the terminal.
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}/gu, '\ufffd');
};

/** One line for each property of an item. */
export function itemText(item: Row): string {
  const width = Math.max(0, ...Object.keys(item).map((name) => name.length));
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}\n`)
    .join('');
}

/** A table of items with the named columns, or with usual ones. Long cells are cut. */
export function tableText(items: readonly Row[], columns: readonly string[] = []): string {
  const [first] = items;
  if (first === undefined) return '';
  const usual = ['id', ...USUAL_COLUMNS].filter((name) => name in first).slice(0, MOST_COLUMNS);
  const names = columns.length > 0 ? columns : usual.length > 1 ? usual : Object.keys(first).slice(0, MOST_COLUMNS);
  const cells = [names, ...items.map((item) => names.map((name) => shortened(textOf(item[name]))))];
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
