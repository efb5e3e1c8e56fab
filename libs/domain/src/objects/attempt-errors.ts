/**
 * Why an attempt to deliver failed, as clients see it in the log: stable codes, each with what it means. They name neither
 * addresses nor anything else of the service's own network. Source: CONTRACT.md 8 and 11.
 */
export const ATTEMPT_ERRORS = {
  status: 'answered with another status than 2xx; `status_code` says which',
  redirect: 'answered with a redirect (3xx): redirects are failures and never followed',
  blocked:
    'the name leads to an address that is not public, or the URL is one that may not be sent to: nothing was sent',
  name_not_found: 'the name of the destination does not exist, has no address, or its name servers do not answer',
  connect_timeout: 'no connection within 5 seconds',
  connection_refused: 'nothing listens at the port',
  unreachable: 'there is no way to the address',
  connection_lost: 'the connection broke before the headers of an answer were complete',
  tls: 'no secure connection: the certificate has expired, is for another name or not signed by a known authority, or TLS is too old',
  timeout: 'the headers of an answer were not complete within 10 seconds',
  bad_response: 'the answer is no HTTP, or its headers are too large',
  resolver_unavailable:
    'names could not be looked up: a fault of the service, it does not count and is tried again soon',
  interrupted:
    'the service stopped in the middle, it is unknown whether the message arrived; tried again at once, and does not count',
  failed: 'for another reason, possibly a fault of the service',
} as const;

export type AttemptError = keyof typeof ATTEMPT_ERRORS;

/** Why an attempt was made. */
export const ATTEMPT_REASONS = {
  auto: 'the event, or the schedule after a failure',
  manual: 'somebody asked for this delivery again',
  recover: 'somebody asked for the deliveries since a moment again',
  probe: 'to see whether the destination works again',
  ping: 'a test message',
} as const;

/** Codes with their meanings, for the reference. */
export const listCodes = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; ');
