// @ts-check
/** @typedef {import('./steps.mjs').Step} Step */

/**
 * The steps that run alone, then those of each lane: lanes run at the same time, the steps of one in their order.
 * @param {readonly Step[]} steps
 * @returns {(readonly Step[])[]}
 */
export function inLanes(steps) {
  const names = new Set(steps.flatMap(({ lane }) => lane ?? []));
  return [undefined, ...names].map((name) => steps.filter(({ lane }) => lane === name));
}
