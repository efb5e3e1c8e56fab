// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, root } from '../workspace.mjs';

/** @typedef {import('./render.mjs').Manifest} Manifest */

/** Packages with the schemas of Kubernetes and its extensions, by API group. @type {Record<string, string>} */
const packages = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/**
 * Returns the kind and the name of a manifest, for messages.
 * @param {Manifest} manifest
 */
export const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;

/**
 * Returns the module that has the type of a manifest.
 * @param {Manifest} manifest
 */
const modelOf = ({ apiVersion, kind }) =>
  `${packages[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;

/**
 * Checks required fields, types, formats and values with the JSON Schemas of Kubernetes.
 * @param {readonly Manifest[]} manifests
 * @returns {Promise<string[]>} errors
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
 * Checks manifests with the TypeScript types of `packages`, which refuse unknown fields. The JSON Schemas accept
 * unknown fields.
 * @param {readonly Manifest[]} manifests
 * @returns {string} the errors of the compiler; empty without errors
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
