// @ts-check
/** @typedef {import('./steps.mjs').Step} Step */

/**
 * Groups steps: first the steps without a lane, then one list per lane. Lanes run at the same time; the steps of a lane
 * run in order.
 * @param {readonly Step[]} steps
 * @returns {(readonly Step[])[]}
 */
export function inLanes(steps) {
  const names = new Set(steps.flatMap(({ lane }) => lane ?? []));
  return [undefined, ...names].map((name) => steps.filter(({ lane }) => lane === name));
}
