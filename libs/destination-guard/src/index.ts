export { parseNameServers } from './lib/dns-resolver.js';
export { type DestinationRefusedCode, DestinationRefusedError, DestinationUnresolvedError } from './lib/errors.js';
export { DestinationGuard, type GuardSettings } from './lib/guard.js';
export { type Address, Networks, NetworkSyntaxError, parseAddress, unmapped } from './lib/networks.js';
export { type Resolve } from './lib/resolve.js';
export { type VettedDestination } from './lib/vet-destination.js';
