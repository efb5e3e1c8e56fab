// @ts-check

/**
 * @typedef {{ name: string, text: string, line: number }} Instruction `text` without the name
 * @typedef {{ base: string, name: string | undefined, instructions: Instruction[] }} Stage
 */

const known = new Set(['ARG', 'LABEL', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']);

/**
 * Reads the part of the Dockerfile language that ours use; anything else is refused rather than skipped. Arguments have
 * their defaults.
 * @param {string} text
 * @returns {Stage[]}
 */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Map<string, string>} */
  const before = new Map();
  for (const instruction of instructions(text)) {
    if (instruction.name === 'FROM') {
      const [, base = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instruction.text) ?? [];
      stages.push({ base: fillIn(base, before), name, instructions: [] });
    } else if (instruction.name === 'ARG' && stages.length === 0) {
      before.set(...pair(instruction.text));
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

/**
 * The names and values of all LABEL or all ENV of a stage, with the arguments that are declared in it.
 * @param {Stage} stage @param {'LABEL' | 'ENV'} instruction
 */
export function pairsOf({ base, instructions }, instruction) {
  const values = new Map([['BASE', base]]);
  for (const { name, text } of instructions) if (name === 'ARG' && text.includes('=')) values.set(...pair(text));
  return new Map(instructions.filter(({ name }) => name === instruction).map(({ text }) => pair(fillIn(text, values))));
}

/** @param {string} text @param {ReadonlyMap<string, string>} values */
const fillIn = (text, values) => text.replace(/\$\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);

/**
 * `name=value` or `name="value"`
 * @param {string} text
 * @returns {[string, string]}
 */
function pair(text) {
  const [, name = '', value = ''] = /^([^=\s]+)=(.*)$/.exec(text) ?? [];
  return [name, value.replace(/^"(.*)"$/, '$1')];
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
  if (words.some((word) => word.startsWith('-')) || words.length < 2)
    throw new Error(`COPY ${text} is not understood by tools/container`);
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
