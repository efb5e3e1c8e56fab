import type { VersionDeclaration, VersionList } from '@ats/api-versioning';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { type OperationDescription } from '../vocabulary/operation.js';

/** What answers depend on, beside their text. */
export interface AnswerSettings {
  /** How clients reach the API, without a slash at its end. */
  readonly baseUrl: string;
}

/** A minor version, as a file in `changes/` declares it: exported as `version` from a file called `v1-10.ts`. */
export type ApiVersionDeclaration = VersionDeclaration<CompatibilityFlag, OperationDescription, AnswerSettings>;

export type ApiVersions = VersionList<CompatibilityFlag, OperationDescription, AnswerSettings>;
