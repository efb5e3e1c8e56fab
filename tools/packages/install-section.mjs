// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./template.mjs').Project} Project */

/**
 * True for a library that runs in browsers: neither its main entry point nor a file that the entry point imports, also
 * from other libraries here, imports a module of Node.
 * @param {Project} project
 * @param {readonly Project[]} projects
 * @returns {boolean}
 */
export function isForBrowsers({ folder }, projects) {
  const imported = importsOf(join(root, folder, 'src/index.ts'));
  const siblings = projects.filter((other) => imported.has(other.manifest.name));
  return (
    ![...imported].some((name) => name.startsWith('node:')) && siblings.every((one) => isForBrowsers(one, projects))
  );
}

/**
 * Returns the packages and modules of Node that a file imports, directly or through other files of its library.
 * @param {string} file
 * @param {Set<string>} [known] files that were read already
 * @returns {Set<string>}
 */
function importsOf(file, known = new Set()) {
  known.add(file);
  const names = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}).*from '([^']+)';$/gm)].map(
    ([, name = '']) => name,
  );
  const files = names.filter((name) => name.startsWith('.')).map((name) => join(file, '..', name.replace(/js$/, 'ts')));
  const unknown = files.filter((one) => !known.has(one));
  return new Set([
    ...names.filter((name) => !name.startsWith('.')),
    ...unknown.flatMap((one) => [...importsOf(one, known)]),
  ]);
}

/**
 * The section of a README that says how other teams install a library and where it runs.
 * @param {Project} project @param {readonly Project[]} projects
 */
export function installSection(project, projects) {
  const { name, peerDependencies = {} } = project.manifest;
  const packages = [name, ...Object.keys(peerDependencies)].join(' ');
  const browsers = isForBrowsers(project, projects)
    ? 'It also runs in browsers.'
    : "It does not run in browsers, because it needs Node's modules.";
  return `## Install

\`\`\`sh
npm config set @ats:registry "$ATS_REGISTRY" --location=project # once: the private registry
npm install ${packages}
\`\`\`

The package runs in Node 20.19, 22.12 or later, with \`import\` and with \`require\`.
${browsers} Its types need TypeScript 5.9 or later.
Jest 30 on Node 20 loads it only in tests that are modules (\`NODE_OPTIONS=--experimental-vm-modules\`).
Versions follow semantic versioning, and \`CHANGELOG.md\` lists the changes. Before 1.0, a minor release may break
callers. From 1.0 on, a minor release marks an export as deprecated before a major release removes it. Only the newest
version gets corrections.
`;
}
