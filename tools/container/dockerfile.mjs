// @ts-check

/**
 * @typedef {{ name: string, text: string, line: number }} Instruction `text` without the name
 * @typedef {{ base: string, name: string | undefined, instructions: Instruction[] }} Stage
 */

const known = new Set(['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']);

/**
 * Reads the part of the Dockerfile language that ours use; anything else is refused rather than skipped.
 * @param {string} text
 * @returns {Stage[]}
 */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = [];
  for (const instruction of instructions(text)) {
    if (instruction.name === 'FROM') {
      const [, base = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instruction.text) ?? [];
      stages.push({ base, name, instructions: [] });
    } else if (known.has(instruction.name)) {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`line ${instruction.line}: ${instruction.name} before FROM`);
      stage.instructions.push(instruction);
    } else {
      throw new Error(`line ${instruction.line}: ${instruction.name} is not understood by tools/container`);
    }
  }
  return stages;
}

/** @param {string} text */
function* instructions(text) {
  let pending = '';
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    pending += raw.trim();
    if (pending.endsWith('\\')) {
      pending = pending.slice(0, -1);
      continue;
    }
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(pending) ?? [];
    yield { name: name.toUpperCase(), text: rest, line: index + 1 };
    pending = '';
  }
}

/**
 * `COPY [--from=stage] source... target`
 * @param {string} text
 */
export function parseCopy(text) {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  if (words.some((word) => word.startsWith('-')) || words.length < 2) throw new Error(`COPY ${text} is not understood by tools/container`);
  return { from, sources: words.slice(0, -1), target: /** @type {string} */ (words.at(-1)) };
}

/**
 * The command of `CMD` and of `HEALTHCHECK ... CMD`, written as a JSON array.
 * @param {string} text
 * @returns {string[]}
 */
export function parseCommand(text) {
  return JSON.parse(text.slice(text.indexOf('[')));
}
