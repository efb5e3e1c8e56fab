export { type Adaptation } from './lib/adaptation.js';
export type {
  BodyMedia,
  RequestUp,
  ResponseDown,
  VersionChange,
  VersionDeclaration,
  VersionStatus,
} from './lib/declaration.js';
export { type EndpointPattern, parseEndpoint } from './lib/endpoint.js';
export { type Endpoint, VersionList } from './lib/version-list.js';
