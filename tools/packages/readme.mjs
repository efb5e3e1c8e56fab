// @ts-check
/**
 * An example of a README.
 * @typedef {object} Example
 * @property {'js' | 'ts'} language
 * @property {string} code
 * @property {boolean} needsService it reads the address of a service from its environment
 * @property {string} output the output that its comments promise. `…` stands for any text, and alone on a line for any
 *   lines
 */

/**
 * Finds the blocks of JavaScript and TypeScript that import a library by its name, or one of its entry points. Other
 * blocks are fragments.
 * @param {string} markdown @param {string} name
 * @returns {Example[]}
 */
export function examplesOf(markdown, name) {
  return [...markdown.matchAll(/^```(js|ts)\n([\s\S]*?)^```$/gm)]
    .filter(([, , code = '']) => ["'", '/'].some((end) => code.includes(`from '${name}${end}`)))
    .map(([, language, code = '']) => ({
      language: language === 'ts' ? 'ts' : 'js',
      code,
      needsService: code.includes('process.env.ATS_URL'),
      output: promisedOutput(code),
    }));
}

/** Matches the beginning of a statement that prints. */
const prints = /\b(?:console\.log|logger\.\w+)\(/;

/**
 * Returns the comments after statements that print: on the last line of the statement, and on the lines that follow
 * directly.
 * @param {string} code
 */
function promisedOutput(code) {
  const output = [];
  let isAfterPrint = false;
  for (const line of code.split('\n')) {
    const comment = /^\s*\/\/ ?(.*)$/.exec(line)?.[1];
    if (comment !== undefined) {
      if (isAfterPrint) output.push(comment);
      continue;
    }
    // The comments with the output may also follow the closing line of a block that prints.
    isAfterPrint = prints.test(line) || (isAfterPrint && /^\s*\}\)?;?$/.test(line));
    const trailing = isAfterPrint ? /\); \/\/ (.*)$/.exec(line)?.[1] : undefined;
    if (trailing !== undefined) output.push(trailing);
  }
  return output.join('\n');
}

/**
 * Compares what an example printed with what its README promises.
 * @param {string} printed @param {string} promised
 * @returns {string | undefined} the first difference
 */
export function outputFault(printed, promised) {
  const wanted = promised === '' ? [] : promised.split('\n');
  const lines = printed.replace(/\n$/, '') === '' ? [] : printed.replace(/\n$/, '').split('\n');
  const pattern = wanted.map((line) => (line.trim() === '…' ? '(?:.*\n)*?' : `${patternOf(line)}\n`)).join('');
  if (new RegExp(`^${pattern}$`).test(lines.map((line) => `${line.trimEnd()}\n`).join(''))) return undefined;
  const index = wanted.findIndex((line, at) => !new RegExp(`^${patternOf(line)}$`).test(lines[at]?.trimEnd() ?? ''));
  const at = index === -1 ? wanted.length : index;
  return `the README promises ${JSON.stringify(wanted[at] ?? 'no more output')}, but the example printed ${JSON.stringify(lines.slice(at, at + 2).join('\n'))}`;
}

/**
 * Returns the source of a regular expression for a promised line. `…` matches any text.
 * @param {string} line
 */
const patternOf = (line) =>
  line
    .trimEnd()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
