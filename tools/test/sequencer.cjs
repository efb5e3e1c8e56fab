const { default: Sequencer } = require('@jest/test-sequencer');

/** Starts the groups of the notifier first. They mostly wait, so other groups can use the processor meanwhile. */
module.exports = class extends Sequencer {
  /** @param {readonly { path: string }[]} tests */
  sort(tests) {
    const rank = (/** @type {{ path: string }} */ { path }) => (path.includes('/notifier') ? 0 : 1);
    return [...tests].sort((left, right) => rank(left) - rank(right) || left.path.localeCompare(right.path));
  }
};
