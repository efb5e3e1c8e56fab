// @ts-check
const { TestEnvironment } = require('jest-environment-node');

/** A sample has a quarter of the tests of each block, rounded up: the number of tests divided by `SHARE`. */
const SHARE = 4;

/**
 * @typedef {{ type: 'describeBlock', name: string, children: (Block | { type: 'test' })[] }} Block
 */

/** The environment of groups of spec files. It limits each file with `@group sample` to a sample of its tests. */
module.exports = class extends TestEnvironment {
  /**
   * @param {{ name: string }} event
   * @param {{ rootDescribeBlock: Block }} state
   */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== 'run_start') return;
    const files = /** @type {readonly string[] | undefined} */ (this.global['sampledFiles']) ?? [];
    for (const child of rootDescribeBlock.children)
      if (child.type === 'describeBlock' && files.includes(child.name)) keepSample(child);
  }
};

/**
 * Keeps the first quarter of the tests of each block, rounded up, and removes the others. The first tests stay, because
 * a test may use data of earlier tests.
 * @param {Block} block
 */
function keepSample(block) {
  const tests = block.children.filter(({ type }) => type === 'test');
  const kept = new Set(tests.slice(0, Math.ceil(tests.length / SHARE)));
  block.children = block.children.filter((child) => child.type === 'describeBlock' || kept.has(child));
  for (const child of block.children) if (child.type === 'describeBlock') keepSample(child);
}
