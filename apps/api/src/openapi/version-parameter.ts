import { findOnly, quote } from '@ats/pagination';
import { message } from '@ats/message';
import { faultyQuery, unknownParameters } from '../request/query.js';
import { VERSIONS } from '../versions/versions.js';
import { type QueryParameter } from '../vocabulary/operation.js';

/** Which version the reference is to be of. */
export const VERSION_PARAMETER: QueryParameter = {
  name: 'version',
  description: 'The minor version to describe.',
  schema: { type: 'string', enum: VERSIONS.versions, default: VERSIONS.default },
};

/**
 * The version that the reference is asked for, the default one unless told: that is what requests get which name none.
 * @param resource  what faults name as theirs
 * @throws {Problem} 400 for a version that is not served or given twice, and for other parameters
 */
export function readVersion(resource: string, query: URLSearchParams): string {
  const faults = unknownParameters(resource, query, [VERSION_PARAMETER.name]);
  const given = findOnly(query, VERSION_PARAMETER.name);
  const refuse = (info: (typeof faults)[number]['info']): void =>
    void faults.push({ resource, path: '', parameter: VERSION_PARAMETER.name, code: 'invalid', ...(info && { info }) });
  if (typeof given === 'object') refuse(given.info);
  else if (given !== undefined && !VERSIONS.has(given))
    refuse(message`expected one of ${VERSIONS.versions}, found ${quote(given)}`);
  if (faults.length > 0) throw faultyQuery(faults);
  return typeof given === 'string' ? given : VERSIONS.default;
}
