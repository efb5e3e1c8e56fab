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

/**
 * The variables that decide which destinations are allowed. The API checks the destination of a subscription with them,
 * and the notifier checks it again before each attempt. Source: docs/reference/destinations.md, "Settings".
 */
export const destinationVariables = {
  ALLOW_HTTP_DESTINATIONS: variable({
    schema: schemas.flag,
    description: '`true` allows subscriptions to `http://` URLs besides `https://`. For development only.',
    default: 'false',
  }),
  ALLOW_PRIVATE_DESTINATIONS: variable({
    schema: schemas.flag,
    description:
      '`true` allows subscriptions to private addresses, local names and names in the hosts file. ' +
      'For development only.',
    default: 'false',
  }),
  NOTIFIER_ALLOW_CIDRS: variable({
    schema: networks,
    description:
      'Private networks to which notifications may be sent. Metadata addresses stay refused. ' +
      'For private installations.',
    whenAbsent: 'none',
    example: '10.20.0.0/16,fd12:3456::/32',
  }),
  NOTIFIER_REFUSE_CIDRS: variable({
    schema: networks,
    description:
      "Public networks to which notifications must not be sent: the service's own, such as its egress addresses and " +
      'its load balancers.',
    whenAbsent: 'none',
    example: '203.0.113.0/24',
  }),
  NOTIFIER_DNS_SERVERS: variable({
    schema: nameServers,
    description: 'Name servers that resolve the host names of destinations.',
    whenAbsent: 'the name servers of the machine',
    example: '10.0.0.2,10.0.0.3:5353',
  }),
} as const;

export type DestinationEnvironment = EnvironmentOf<typeof destinationVariables>;

/**
 * Makes the guard that checks destinations.
 * @param resolve  replaces the name servers in tests
 */
export const destinationGuard = (environment: DestinationEnvironment, resolve?: Resolve): DestinationGuard =>
  new DestinationGuard({
    allowHttp: environment.ALLOW_HTTP_DESTINATIONS,
    allowPrivate: environment.ALLOW_PRIVATE_DESTINATIONS,
    allowed: environment.NOTIFIER_ALLOW_CIDRS,
    refused: environment.NOTIFIER_REFUSE_CIDRS,
    nameServers: environment.NOTIFIER_DNS_SERVERS,
    resolve,
  });
