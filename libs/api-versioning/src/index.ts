export { type Adaptation } from './lib/adaptation.js';
export { type VersionDeclaration } from './lib/declaration.js';
export { parseEndpoint } from './lib/endpoint.js';
export { VersionList } from './lib/version-list.js';
