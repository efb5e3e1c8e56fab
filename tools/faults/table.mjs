// @ts-check

/**
 * The result of one test, which the test writes as a line of JSON.
 * @typedef {object} Row
 * @property {number} number number in the list of fault tests
 * @property {string} fault
 * @property {boolean} ok
 * @property {number} faults number of injected faults
 * @property {number} messages expected pairs of event and subscription
 * @property {number} requests requests at the destinations, including refused ones
 * @property {number} duplicates
 * @property {number | null} duplicatesAtMost greatest allowed number of duplicates; null when none is allowed
 * @property {number} missing
 * @property {number} unexpected
 * @property {number} badSignatures
 * @property {number} changedBodies
 * @property {number} outOfOrder messages that arrived before an earlier one, where a mode keeps their order
 * @property {number} excess requests above the limits of a mode
 * @property {number} seconds
 * @property {readonly string[]} notes
 */

/** @type {readonly (readonly [string, (row: Row) => string | number])[]} */
const columns = [
  ['no', (row) => row.number],
  ['fault', (row) => row.fault],
  ['faults', (row) => row.faults],
  ['messages', (row) => row.messages],
  ['requests', (row) => row.requests],
  [
    'duplicates',
    (row) => (row.duplicatesAtMost === null ? row.duplicates : `${row.duplicates} of <= ${row.duplicatesAtMost}`),
  ],
  ['missing', (row) => row.missing],
  ['unexpected', (row) => row.unexpected],
  ['bad signatures', (row) => row.badSignatures],
  ['changed bodies', (row) => row.changedBodies],
  ['out of order', (row) => row.outOfOrder],
  ['excess', (row) => row.excess],
  ['seconds', (row) => row.seconds.toFixed(1)],
  ['result', (row) => (row.ok ? 'passed' : 'FAILED')],
];

/**
 * Returns the table as text: a line for each test, the totals, and the notes of the tests.
 * @param {readonly Row[]} rows
 */
export function toTable(rows) {
  const ordered = [...rows].sort((a, b) => a.number - b.number);
  const cells = [
    columns.map(([title]) => title),
    ...ordered.map((row) => columns.map(([, read]) => String(read(row)))),
    totals(ordered),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) => (index === 1 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
  const notes = ordered.flatMap(({ number, notes }) => notes.map((note) => `${String(number).padStart(4)}  ${note}`));
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/**
 * Returns the cells of the last row, which has the totals.
 * @param {readonly Row[]} rows
 */
function totals(rows) {
  /**
   * Adds up one number of all rows.
   * @param {(row: Row) => number} read
   */
  const sum = (read) => String(rows.reduce((total, row) => total + read(row), 0));
  const failed = rows.filter(({ ok }) => !ok).length;
  return [
    '',
    `all ${rows.length}`,
    sum((row) => row.faults),
    sum((row) => row.messages),
    sum((row) => row.requests),
    sum((row) => row.duplicates),
    sum((row) => row.missing),
    sum((row) => row.unexpected),
    sum((row) => row.badSignatures),
    sum((row) => row.changedBodies),
    sum((row) => row.outOfOrder),
    sum((row) => row.excess),
    rows.reduce((total, row) => total + row.seconds, 0).toFixed(1),
    failed === 0 ? 'passed' : `${failed} FAILED`,
  ];
}
