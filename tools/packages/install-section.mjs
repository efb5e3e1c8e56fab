// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./template.mjs').Project} Project */

/**
 * True for a library that runs in browsers: neither it nor a sibling that it uses imports a module of Node.
 * @param {Project} project @param {readonly Project[]} projects
 * @returns {boolean}
 */
export function isForBrowsers({ folder, manifest }, projects) {
  const source = join(root, folder, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.ts$/.test(file),
  );
  const usesNode = files.some((file) => /from 'node:/.test(readFileSync(join(source, file), 'utf8')));
  const siblings = projects.filter((other) => Object.hasOwn(manifest.dependencies ?? {}, other.manifest.name));
  return !usesNode && siblings.every((sibling) => isForBrowsers(sibling, projects));
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
callers.
`;
}
