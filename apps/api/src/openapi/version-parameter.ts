import { findOnly, quote } from '@ats/pagination';
import { message } from '@ats/message';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { VERSIONS } from '../versions/versions.js';
import { type QueryParameter } from '../vocabulary/operation.js';

/** The query parameter of `/openapi.json`. */
export const VERSION_PARAMETER: QueryParameter = {
  name: 'version',
  description: 'The minor version to describe.',
  schema: { type: 'string', enum: VERSIONS.versions, default: VERSIONS.default },
};

/**
 * Reads the requested version. Defaults to the version that requests without `Api-Version` get.
 * @param resource name of the resource, as violations show it
 * @throws {Problem} 400 for an unknown or repeated version and for other parameters
 */
export function readVersion(resource: string, query: URLSearchParams): string {
  const violations = unknownParameters(resource, query, [VERSION_PARAMETER.name]);
  const given = findOnly(query, VERSION_PARAMETER.name);
  const refuse = (info: (typeof violations)[number]['info']): void =>
    void violations.push({
      resource,
      path: '',
      parameter: VERSION_PARAMETER.name,
      code: 'invalid',
      ...(info && { info }),
    });
  if (typeof given === 'object') refuse(given.message);
  else if (given !== undefined && !VERSIONS.has(given))
    refuse(message`expected one of ${VERSIONS.versions}, found ${quote(given)}`);
  if (violations.length > 0) throw invalidQuery(violations);
  return typeof given === 'string' ? given : VERSIONS.default;
}
