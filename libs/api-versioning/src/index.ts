export { type Adaptation } from './lib/adaptation.js';
export {
  type BodyMedia,
  type RequestUp,
  type ResponseDown,
  type VersionChange,
  type VersionDeclaration,
  type VersionStatus,
} from './lib/declaration.js';
export { type EndpointPattern, parseEndpoint } from './lib/endpoint.js';
export { VersionDeclarationError } from './lib/faults.js';
export { type Endpoint, VersionList } from './lib/version-list.js';
