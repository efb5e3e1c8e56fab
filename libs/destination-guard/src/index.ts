export { parseNameServers } from './lib/dns-resolver.js';
export { DestinationRefusedError, type DestinationRefusedCode, DestinationUnresolvedError } from './lib/errors.js';
export { DestinationGuard, type GuardSettings } from './lib/guard.js';
export { Networks, NetworkSyntaxError } from './lib/networks.js';
export { type Resolve } from './lib/resolve.js';
export { type VettedDestination } from './lib/vet-destination.js';
