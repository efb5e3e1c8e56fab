/**
 * The reasons why an attempt failed: stable codes that clients see in the delivery log, each with its meaning. They
 * reveal nothing about the network of the service, such as IP addresses. Source: docs/reference/notifications.md.
 */
export const ATTEMPT_ERRORS = {
  status: 'the destination answered with a status other than 2xx, which is in `status_code`',
  rejected:
    'the destination answered a batch with 200 and named this message in `failed`; it accepted the other messages',
  redirect: 'the destination answered with a redirect (3xx), which counts as a failure and is never followed',
  blocked: 'the host name has an IP address that is not public, or the URL is not allowed; nothing was sent',
  name_not_found: 'the host name does not exist, has no IP address, or its name servers do not answer',
  connect_timeout: 'no connection was made within 5 seconds',
  connection_refused: 'the destination refused the connection',
  unreachable: 'the network has no route to the IP address',
  connection_lost: 'the connection broke before the headers of an answer were complete',
  tls:
    'no secure connection was made: the certificate has expired, is for another name or is not signed by a known ' +
    'authority, or the TLS version is too old',
  timeout: 'the headers of an answer were not complete within 10 seconds',
  bad_response: 'the answer is not HTTP, or its headers are too large',
  token_refused:
    'the token endpoint in `authentication` refused the client, may not be called, or did not answer with a bearer ' +
    'token; nothing was sent to the destination',
  token_unavailable:
    'the token endpoint in `authentication` did not answer within 5 seconds, or answered 429 or 5xx; nothing was ' +
    'sent to the destination',
  resolver_unavailable:
    'the service could not look up host names; the attempt does not count, and the next one follows soon',
  interrupted:
    'the service stopped during the attempt, so the message may have arrived; the attempt does not count, and the ' +
    'next one follows at once',
  failed: 'another reason, possibly an error of the service',
} as const;

export type AttemptError = keyof typeof ATTEMPT_ERRORS;

/** The reasons why an attempt was made: stable codes, each with its meaning. */
export const ATTEMPT_REASONS = {
  auto: 'the event happened, or a retry was due',
  manual: 'a client requested a redelivery of this delivery',
  recover: 'a client requested a redelivery of all deliveries in a period',
  probe: 'the service tested whether the destination works again',
  ping: 'a client requested a test message',
} as const;

/** Lists codes with their meanings, for descriptions in the API reference. */
export const listCodes = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; ');
