// @ts-check
import { describeAsTable } from '@ats/configuration';
import { PlainError } from '../workspace.mjs';

const BEGIN = '<!-- variables: made by `npm run config -- --readme` -->';
const END = '<!-- end of variables -->';

/**
 * Replaces the table of variables in a README.
 * @param {string} readme
 * @param {readonly import('./processes.mjs').Process[]} processes
 */
export function withTable(readme, processes) {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new PlainError(
      `README.md needs the lines ${BEGIN} and ${END}, between which the table of variables is written`,
    );
  return `${readme.slice(0, begin)}${BEGIN}\n\n${describeAsTable(processes)}\n\n${readme.slice(end)}`;
}
