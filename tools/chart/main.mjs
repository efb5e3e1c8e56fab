// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { root } from '../workspace.mjs';
import { render } from './render.mjs';
import { valuesSchema } from './schema.mjs';
import { chartVariables, readConfiguration } from './variables.mjs';

export const chart = join(root, 'docker/chart');

const usage = `usage: node tools/chart.mjs --write | --render <values file>
Works on the Helm chart in docker/chart.
  --write            generate the files that follow from the configuration of the apps: files/variables.json and
                     values.schema.json
  --render <values>  print the manifests, as \`helm template test docker/chart --namespace hiring\` does`;

/**
 * Generates the files of the chart that follow from the configuration of the apps. Returns their texts by path.
 * @param {import('./variables.mjs').Configuration} configuration
 */
export function derivedFiles(configuration) {
  const text = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'files/variables.json': text(chartVariables(configuration)),
    'values.schema.json': text(valuesSchema(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')), configuration)),
  };
}

/**
 * Runs `node tools/chart.mjs`.
 * @param {string[]} args
 */
export function main(args) {
  const { values } = parseArgs({
    args,
    options: { write: { type: 'boolean' }, render: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.write)
    for (const [path, text] of Object.entries(derivedFiles(readConfiguration())))
      writeFileSync(join(chart, path), text);
  else if (values.render)
    console.log(
      render(chart, parse(readFileSync(values.render, 'utf8')))
        .manifests.map((manifest) => stringify(manifest))
        .join('---\n'),
    );
  else console.log(usage);
}
