import { type RandomValues } from './random-values.js';
import { type Row } from './random-row.js';

export function randomUser(values: RandomValues): Row {
  const { dice } = values;
  const common = values.common('users');
  return {
    ...common,
    // The first users have one type each, because rows of other tables refer to a user of every type.
    type:
      ['candidate', 'recruiter', 'api'][common.id - 1] ??
      dice.one(['candidate', 'candidate', 'candidate', 'recruiter', 'api']),
    status: dice.one(['pending_activation', 'active', 'disabled']),
    language: values.maybe(() => dice.one(['de', 'en'])),
    firstname: values.text(),
    lastname: values.text(),
    // The id makes e-mail addresses unique.
    email: `${common.id}.${values.address()}`,
    title: values.maybe(values.text),
    preferred_name: values.maybe(values.text),
    date_of_birth: values.maybe(values.date),
    current_employer: values.maybe(values.text),
    current_title: values.maybe(values.text),
    source: values.maybe(values.text),
    tags: values.tags(),
    job_title: values.maybe(values.text),
    is_active: dice.chance(0.5),
  };
}

export function randomAddress(values: RandomValues, label: string): Row {
  const [address_line, city, region, postal_code, country_code] = Array.from({ length: 5 }, () =>
    values.maybe(values.text),
  );
  return { label, address_line, city, region, postal_code, country_code };
}

export function randomCredential(values: RandomValues, recruiters: readonly Row[]): Row {
  const { dice } = values;
  const common = values.common('credentials');
  const recruiter = dice.one(recruiters)['id'];
  return {
    ...common,
    name: values.text(),
    key_id: `key${common.id}`,
    token_digest: '\\x00',
    scopes: dice.some(['applications:read', '*:write', 'users:read'], 3),
    maker_ids: [],
    allowed_cidrs: dice.some(['192.0.2.0/24', '2001:db8::/32'], 2),
    api_version: values.maybe(() => '1.7'),
    language: values.maybe(() => 'fr'),
    user_id: recruiter,
    recruiter_id: recruiter,
    expires_dt: values.maybe(values.moment),
    last_used_dt: values.maybe(values.moment),
    revoked_dt: values.maybe(values.moment),
  };
}
