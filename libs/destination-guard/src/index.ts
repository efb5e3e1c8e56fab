export { type AddressRules, isAllowedAddress, isMetadataAddress } from './lib/address.js';
export { checkDestinationUrl, type DestinationRules } from './lib/destination-url.js';
export { DestinationRefusedError, type DestinationRefusedCode, DestinationUnresolvedError } from './lib/errors.js';
export { createDnsResolver, type Resolve, resolveWithHost } from './lib/resolvers.js';
export { vetDestination, type VetOptions } from './lib/vet-destination.js';
