import { type EnvironmentOf, schemas, variable } from '@ats/configuration';
import { DestinationGuard, Networks, parseNameServers, type Resolve } from '@ats/destination-guard';

const networks = schemas.readBy(
  (text) => Networks.parse(text),
  'must be networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas',
);
const nameServers = schemas.readBy(
  parseNameServers,
  'must be IP addresses of name servers, with or without a port, separated by commas',
);

/** Where notifications may go: read alike by who accepts a destination and by who sends to it. */
export const destinationVariables = {
  ALLOW_HTTP_DESTINATIONS: variable({
    schema: schemas.flag,
    description: '`true` lets subscriptions use `http://` beside `https://`; for development.',
    default: 'false',
  }),
  ALLOW_PRIVATE_DESTINATIONS: variable({
    schema: schemas.flag,
    description:
      '`true` lets subscriptions point to private addresses, local names and names of the hosts file; for development.',
    default: 'false',
  }),
  NOTIFIER_ALLOW_CIDRS: variable({
    schema: networks,
    description:
      'Networks that may be sent to although they are not public; metadata addresses stay refused. For private installs.',
    whenAbsent: 'none',
    example: '10.20.0.0/16,fd12:3456::/32',
  }),
  NOTIFIER_REFUSE_CIDRS: variable({
    schema: networks,
    description:
      "Networks that may not be sent to although they are public: the service's own, such as addresses it goes out with and its load balancers.",
    whenAbsent: 'none',
    example: '203.0.113.0/24',
  }),
  NOTIFIER_DNS_SERVERS: variable({
    schema: nameServers,
    description: 'Name servers that are asked for the names of destinations.',
    whenAbsent: "the machine's own",
    example: '10.0.0.2,10.0.0.3:5353',
  }),
} as const;

export type DestinationEnvironment = EnvironmentOf<typeof destinationVariables>;

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
