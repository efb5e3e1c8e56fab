import { DestinationGuard, Networks, parseNameServers, type Resolve } from '@ats/destination-guard';
import { z } from 'zod';
import { variables } from './environment.js';

/** Reads a text by a function that throws when it cannot. */
const readBy = <T>(read: (text: string) => T, error: string): z.ZodType<T, string> =>
  z.string().transform((text, context) => {
    try {
      return read(text);
    } catch {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
  });

const networks = readBy((text) => Networks.parse(text), 'must be networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas');
const nameServers = readBy(parseNameServers, 'must be IP addresses of name servers, with or without a port, separated by commas');

/** Where notifications may go: read alike by who accepts a destination and by who sends to it. */
export const destinationVariables = {
  /** `http://` beside `https://`. */
  ALLOW_HTTP_DESTINATIONS: variables.flag.default(false),
  /** Private addresses, local names and the hosts file: development alone. */
  ALLOW_PRIVATE_DESTINATIONS: variables.flag.default(false),
  /** Networks that may be sent to although they are not public: tests and private installs. */
  NOTIFIER_ALLOW_CIDRS: networks.optional(),
  /** Networks that may not be sent to although they are public: the service's own. */
  NOTIFIER_REFUSE_CIDRS: networks.optional(),
  /** Asked for the names of destinations, instead of the machine's own. */
  NOTIFIER_DNS_SERVERS: nameServers.optional(),
} as const;

export type DestinationEnvironment = Readonly<z.output<z.ZodObject<typeof destinationVariables>>>;

/** @param resolve asked instead of any name server: for tests */
export const destinationGuard = (environment: DestinationEnvironment, resolve?: Resolve): DestinationGuard =>
  new DestinationGuard({
    allowHttp: environment.ALLOW_HTTP_DESTINATIONS,
    allowPrivate: environment.ALLOW_PRIVATE_DESTINATIONS,
    allowed: environment.NOTIFIER_ALLOW_CIDRS,
    refused: environment.NOTIFIER_REFUSE_CIDRS,
    nameServers: environment.NOTIFIER_DNS_SERVERS,
    resolve,
  });
