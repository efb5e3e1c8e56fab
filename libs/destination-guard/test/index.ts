export {
  EMBEDDED_ADDRESSES,
  FORBIDDEN_ANSWERS,
  FORBIDDEN_RANGES,
  METADATA_ADDRESSES,
  NO_ADDRESSES,
  PUBLIC_ADDRESSES,
} from './addresses.js';
export { type Knowledge, NameServer } from './name-server.js';
export { ACCEPTED_URLS, LOOPBACK_URLS, REFUSED_URLS } from './urls.js';
