// @ts-check

/**
 * @typedef {object} PageResult
 * @property {string} url
 * @property {number} nodes elements
 * @property {number} cpuMs CPU time of the main thread until the page is loaded
 * @property {number} contentMs time until the first content is visible
 * @property {string[]} faults
 */

/**
 * Returns a table with one line for each part of the site, with the greatest values of its pages.
 * @param {readonly PageResult[]} results
 */
export function tableOf(results) {
  const partOf = (/** @type {PageResult} */ { url }) => url.split('/')[2] || 'home';
  const rows = [...new Set(results.map(partOf))].sort().map((part) => {
    const pages = results.filter((result) => partOf(result) === part);
    const { nodes, cpuMs, contentMs } = greatest(pages);
    return `| ${part} | ${pages.length} | ${nodes.nodes} (\`${nodes.url}\`) | ${Math.round(cpuMs.cpuMs)} | ${Math.round(contentMs.contentMs)} |`;
  });
  return [
    '| Part | Pages | Most DOM nodes | Most CPU, ms | Latest content, ms |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/**
 * Returns the greatest figures of all pages, as one line.
 * @param {readonly PageResult[]} results
 */
export function figuresOf(results) {
  const { nodes, cpuMs, contentMs } = greatest(results);
  return (
    `${results.length} pages; most nodes ${nodes.nodes} (${nodes.url}); most CPU ${Math.round(cpuMs.cpuMs)} ms ` +
    `(${cpuMs.url}); latest content ${Math.round(contentMs.contentMs)} ms (${contentMs.url})`
  );
}

/**
 * Returns the page with the greatest value of each figure.
 * @param {readonly PageResult[]} results
 */
const greatest = (results) => ({
  nodes: most(results, 'nodes'),
  cpuMs: most(results, 'cpuMs'),
  contentMs: most(results, 'contentMs'),
});

/**
 * Returns the page with the greatest value of one figure.
 * @param {readonly PageResult[]} results @param {'nodes' | 'cpuMs' | 'contentMs'} figure
 */
const most = (results, figure) => results.reduce((a, b) => (b[figure] > a[figure] ? b : a));
