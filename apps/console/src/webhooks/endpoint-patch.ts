import { type NotificationEndpointsPatch, type NotificationEndpointsWithKeys } from '@ats/client';

/** Maps the names of the form's fields to their texts. Empty fields are absent. */
export type SettingsForm = Readonly<Record<string, string>>;
type Headers = Readonly<Record<string, string | null>>;

const number = (text: string | undefined): number => Number(text);

/** Shows headers as lines. A value is empty when the service hides it. */
export const headerLines = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value ?? ''}`.trimEnd())
    .join('\n');

/**
 * Returns the merge patch that changes the present headers to the headers in `lines`. Null removes a header. A header
 * that stays unchanged is absent from the patch.
 */
export function patchOfHeaders(present: Headers, lines: string): Headers {
  const typed = new Map(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...rest] = line.split(':');
        return [name.trim().toLowerCase(), rest.join(':').trim()] as const;
      }),
  );
  const removed = Object.keys(present).filter((name) => !typed.has(name));
  const written = [...typed].filter(([name, value]) => value !== (present[name] ?? '') || !(name in present));
  return { ...Object.fromEntries(removed.map((name) => [name, null])), ...Object.fromEntries(written) };
}

/** Returns the body that changes an endpoint to the values in the form. */
export function patchOf(form: SettingsForm, present: NotificationEndpointsWithKeys): NotificationEndpointsPatch {
  const { name = '', destination_url: url, ordering, limit, per_s: perSeconds, max, wait_ms: wait } = form;
  return {
    name,
    destination_url: url ?? null,
    ordering: ordering as NotificationEndpointsWithKeys['ordering'],
    throttle: limit || perSeconds ? { limit: number(limit), per_s: number(perSeconds) } : null,
    batch: max || wait ? { max: number(max), wait_ms: number(wait ?? '0') } : null,
    custom_headers: patchOfHeaders(present.custom_headers, form['custom_headers'] ?? ''),
    authentication: authenticationOf(form),
  };
}

function authenticationOf(form: SettingsForm): NonNullable<NotificationEndpointsPatch['authentication']> {
  const { authentication: type, client_secret: secret } = form;
  if (type === 'client_certificate') return { type, certificate_id: number(form['certificate_id']) };
  if (type !== 'oauth2_client_credentials') return { type: 'none' };
  return {
    type,
    token_url: form['token_url'] ?? null,
    client_id: form['client_id'] ?? null,
    scope: form['scope'] ?? null,
    ...(secret !== undefined && { client_secret: secret }),
  };
}
