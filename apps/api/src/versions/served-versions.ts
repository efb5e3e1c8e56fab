import { type ApiVersion } from '@ats/domain';
import { VERSIONS } from './versions.js';

/** What a system says of the versions, newest first. CONTRACT.md 5, `systems`. */
export const SERVED_VERSIONS: readonly ApiVersion[] = [...VERSIONS.declarations]
  .reverse()
  .map(({ version, date, status }) => ({ version, date, status }));
