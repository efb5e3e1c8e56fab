import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { VersionList } from '@ats/api-versioning';
import { type ApiVersion, defineAppList } from '@ats/domain';
import { type ApiVersionDeclaration, type ApiVersions } from './api-version.js';

const CHANGES = join(import.meta.dirname, 'changes');
const DECLARATION = /^v\d+-\d+\.(js|ts)$/;

/** Loads all declarations in the folder, so that a new version needs no list entry. */
function declarations(): readonly ApiVersionDeclaration[] {
  const load = createRequire(import.meta.url);
  const files = readdirSync(CHANGES).filter((name) => DECLARATION.test(name));
  return files.map((name) => (load(join(CHANGES, name)) as { readonly version: ApiVersionDeclaration }).version);
}

/** The served minor versions. Source: docs/reference/versions.md, "Changes". */
export const VERSIONS: ApiVersions = new VersionList(declarations());

defineAppList('api_versions', () => VERSIONS.versions);

/** The served versions as `GET /systems` lists them, newest first. */
export const SERVED_VERSIONS: readonly ApiVersion[] = [...VERSIONS.declarations]
  .reverse()
  .map(({ version, date, status }) => ({ version, date, status }));
