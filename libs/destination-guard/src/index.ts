export { parseNameServers } from './lib/dns-resolver.js';
export { DestinationRefusedError, DestinationUnresolvedError } from './lib/errors.js';
export { DestinationGuard } from './lib/guard.js';
export { Networks, NetworkSyntaxError, parseAddress, unmapped } from './lib/networks.js';
export { type Resolve } from './lib/resolve.js';
export { type VettedDestination } from './lib/vet-destination.js';
