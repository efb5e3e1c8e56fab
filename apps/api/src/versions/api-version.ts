import type { VersionDeclaration, VersionList } from '@ats/api-versioning';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { type OperationDescription } from '../vocabulary/operation.js';

/** Settings that the conversion of answers needs. */
export interface AnswerSettings {
  /** Base URL by which clients reach the API, without a slash at the end. */
  readonly baseUrl: string;
}

/** A minor version. A file in `changes/`, such as `v1-10.ts`, declares it and exports it as `version`. */
export type ApiVersionDeclaration = VersionDeclaration<CompatibilityFlag, OperationDescription, AnswerSettings>;

export type ApiVersions = VersionList<CompatibilityFlag, OperationDescription, AnswerSettings>;
