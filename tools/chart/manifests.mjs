// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, root } from '../workspace.mjs';

/** @typedef {import('./render.mjs').Manifest} Manifest */

/** Packages with the schemas of Kubernetes and of what extends it, by group of API. @type {Record<string, string>} */
const packages = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** @param {Manifest} manifest */
export const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;

/** @param {Manifest} manifest */
const modelOf = ({ apiVersion, kind }) =>
  `${packages[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;

/**
 * By the JSON Schemas of Kubernetes: required fields, types, formats, values.
 * @param {readonly Manifest[]} manifests
 * @returns {Promise<string[]>} what is wrong
 */
export async function schemaFaults(manifests) {
  const faults = [];
  for (const manifest of manifests) {
    const models = await import(modelOf(manifest));
    try {
      new models[manifest.kind](manifest).validate();
    } catch (error) {
      faults.push(`${nameOf(manifest)}: ${/** @type {Error} */ (error).message}`);
    }
  }
  return faults;
}

/**
 * By the types of the same packages, which also refuse fields that there are not: the schemas leave those be.
 * @param {readonly Manifest[]} manifests
 * @returns {string} what the compiler says; empty when nothing is wrong
 */
export function typeFaults(manifests) {
  const dir = join(makeDataDir(), 'chart-types');
  mkdirSync(dir, { recursive: true });
  const kinds = new Map(manifests.map((manifest) => [manifest.kind, modelOf(manifest)]));
  const lines = [
    ...[...kinds].map(([kind, model]) => `import { type I${kind} } from '${model}';`),
    ...manifests.map(
      (manifest, index) =>
        `export const manifest${index}: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)}; // ${nameOf(manifest)}`,
    ),
  ];
  writeFileSync(join(dir, 'manifests.ts'), lines.join('\n'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--pretty',
    'false',
    '--types',
    '',
  ];
  return spawnSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), ...options, 'manifests.ts'], {
    cwd: dir,
    encoding: 'utf8',
  }).stdout;
}
