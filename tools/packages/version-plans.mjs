// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { isPublished, readProjects } from './template.mjs';

/**
 * Runs git in a workspace. Returns the output.
 * @param {string} workspace @param {string[]} args @returns {string | undefined} undefined when git fails
 */
function git(workspace, ...args) {
  try {
    return execFileSync('git', args, { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/**
 * Returns the text of an API report at the last release, which has the tag. Before the first release, returns the text
 * of the first commit that has the report. Returns undefined for a report that git does not know yet.
 * @param {string} workspace @param {string} report @param {string} tag such as `@ats/message@0.2.0`
 */
function releasedReport(workspace, report, tag) {
  const tagged = git(workspace, 'show', `${tag}:${report}`);
  if (tagged !== undefined) return tagged;
  const first = git(workspace, 'log', '--diff-filter=A', '--format=%H', '--', report)?.trim().split('\n').at(-1);
  return first ? git(workspace, 'show', `${first}:${report}`) : undefined;
}

/** Returns the names of the libraries that a version plan releases. @param {string} workspace @returns {Set<string>} */
function plannedLibraries(workspace) {
  const folder = join(workspace, '.nx/version-plans');
  const plans = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : [];
  return new Set(
    plans.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^['"]?(@ats\/[\w-]+)['"]?: *\w+$/gm)].map(
        ([, name = '']) => name,
      ),
    ),
  );
}

/**
 * Reports libraries whose public interface changed since their last release, and that no version plan releases.
 * @returns {string[]}
 */
export function planFaults(workspace = root) {
  const planned = plannedLibraries(workspace);
  return readProjects(workspace)
    .filter(isPublished)
    .filter(({ manifest }) => !planned.has(manifest.name))
    .flatMap(({ folder, manifest }) => {
      const reports = join(workspace, folder, 'etc');
      const files = existsSync(reports) ? readdirSync(reports) : [];
      const isChanged = files
        .filter((file) => file.endsWith('.api.md'))
        .some((file) => {
          const released = releasedReport(workspace, `${folder}/etc/${file}`, `${manifest.name}@${manifest.version}`);
          return released !== undefined && released !== readFileSync(join(reports, file), 'utf8');
        });
      return isChanged
        ? [`the interface of ${manifest.name} changed without a version plan: run npx nx release plan`]
        : [];
    });
}
