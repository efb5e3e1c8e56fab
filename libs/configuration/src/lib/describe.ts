import { catalogueOf, type CatalogueEntry, whenNotSet } from './catalogue.js';
import { type DescribedProcess } from './process.js';
import { type Variable } from './variable.js';

/**
 * Describes every variable for a terminal: description, processes and default. It prints no values of an environment.
 */
export const describeForTerminal = (processes: readonly DescribedProcess[]): string =>
  catalogueOf(processes).map(inLines).join('\n\n');

function inLines({ name, variable, readBy }: CatalogueEntry): string {
  const lines = [
    variable.description,
    `read by ${readBy.join(', ')}; ${notSetInWords(variable)}${variable.isSecret ? '; secret' : ''}`,
  ];
  if (variable.example !== undefined) lines.push(`for example ${variable.example}`);
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}

function notSetInWords(variable: Variable): string {
  const notSet = whenNotSet(variable);
  if (notSet.kind === 'required') return 'required';
  return notSet.kind === 'default' ? `default ${notSet.text}` : `when not set: ${notSet.text}`;
}

/** Describes every variable as a Markdown table for a README. */
export function describeAsTable(processes: readonly DescribedProcess[]): string {
  const rows = catalogueOf(processes).map(({ name, variable, readBy }) => [
    `\`${name}\``,
    readBy.join(', '),
    notSetInTable(variable),
    meaning(variable),
  ]);
  const head = [
    ['variable', 'read by', 'when not set', 'meaning'],
    ['---', '---', '---', '---'],
  ];
  return [...head, ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`).join('\n');
}

function notSetInTable(variable: Variable): string {
  const notSet = whenNotSet(variable);
  if (notSet.kind === 'required') return '**required**';
  return notSet.kind === 'default' ? `\`${notSet.text}\`` : notSet.text;
}

const meaning = ({ description, example, isSecret }: Variable): string =>
  [
    description,
    ...(example === undefined ? [] : [`For example \`${example}\`.`]),
    ...(isSecret ? ['*Secret.*'] : []),
  ].join(' ');

const inCell = (text: string): string => text.replaceAll('|', '\\|');
