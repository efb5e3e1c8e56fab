import { type RandomValues } from './random-values.js';
import { type Row } from './random-row.js';

/** The kinds of the first two opportunities. Tests need at least one vacancy and one event. */
const OPPORTUNITY_KINDS = ['vacancy', 'event'] as const;

const communicationType = ({ dice }: RandomValues): string => dice.one(['email', 'sms', 'note']);

export function randomOpportunity(values: RandomValues, recruiters: readonly Row[], states: readonly Row[]): Row {
  const { dice } = values;
  const common = values.common('opportunities');
  const state = dice.one(states);
  return {
    ...common,
    kind: OPPORTUNITY_KINDS[common.id - 1] ?? dice.one(OPPORTUNITY_KINDS),
    reference: `${values.text()}-${common.id}`,
    title: values.text(),
    state_id: state['id'],
    state_entered_dt: values.moment(),
    ...values.description(),
    location: values.maybe(values.text),
    department: values.maybe(values.text),
    owner_id: recruiters.length > 0 ? values.maybe(() => dice.one(recruiters)['id']) : null,
    opening_date: values.maybe(values.date),
    closing_date: values.maybe(values.date),
    tags: values.tags(),
    system_id: 1,
    process_id: state['process_id'],
    employment_type: values.maybe(values.text),
    openings: dice.below(3),
    salary_min: values.maybe(() => dice.one(values.pools.decimals)),
    salary_max: values.maybe(() => dice.one(values.pools.decimals)),
    salary_currency: values.maybe(() => 'EUR'),
    start_dt: values.maybe(values.moment),
    end_dt: values.maybe(values.moment),
    venue: values.maybe(values.text),
    capacity: values.maybe(() => dice.below(3)),
  };
}

export function randomScoringRule(values: RandomValues, place: Row): Row {
  return {
    ...place,
    id: values.id('scoring_rules'),
    expression: values.text(),
    points: values.dice.one([0, 1.5, -2.25, 12.34]),
  };
}

export function randomJobBoard(values: RandomValues): Row {
  const common = values.common('job_boards');
  const flags = { is_internal: values.dice.chance(0.5), is_active: values.dice.chance(0.5) };
  return {
    ...common,
    name: values.text(),
    code: `${values.text()}.${common.id}`,
    base_url: values.maybe(values.text),
    ...flags,
  };
}

export function randomPosting(values: RandomValues, vacancies: readonly Row[], boards: readonly Row[]): Row {
  const { dice } = values;
  return {
    ...values.common('postings'),
    title: values.text(),
    ...values.description(),
    is_withdrawn: dice.chance(0.3),
    opening_date: values.date(),
    closing_date: values.maybe(values.date),
    job_board_id: dice.one(boards)['id'],
    vacancy_id: dice.one(vacancies)['id'],
    location: values.maybe(values.text),
    method: dice.one(['hosted', 'feed', 'api', 'email', 'manual']),
  };
}

export function randomApplication(
  values: RandomValues,
  of: {
    opportunities: readonly Row[];
    candidates: readonly Row[];
    postings: readonly Row[];
    applications: readonly Row[];
    states: readonly Row[];
  },
): Row {
  const { dice } = values;
  const common = values.common('applications');
  const opportunity =
    (common.id <= OPPORTUNITY_KINDS.length && of.opportunities[common.id - 1]) || dice.one(of.opportunities);
  const user_id = dice.one(of.candidates)['id'];
  const isLiveIn = (other: Row): boolean =>
    other['is_live'] === true && other['user_id'] === user_id && other['opportunity_id'] === opportunity['id'];
  const dates = {
    hired_dt: values.maybe(values.moment),
    rejected_dt: values.maybe(values.moment),
    withdrawn_dt: values.maybe(values.moment),
  };
  return {
    ...common,
    ...dates,
    app_type: opportunity['kind'] === 'vacancy' ? 'vacancy_application' : 'event_application',
    reference: `${values.text()}/${common.id}`,
    opportunity_id: opportunity['id'],
    user_id,
    posting_id: values.maybe(() => dice.one(of.postings)['id']),
    copied_from_id: of.applications.length > 0 ? values.maybe(() => dice.one(of.applications)['id']) : null,
    state_id: dice.one(of.states)['id'],
    state_entered_dt: values.moment(),
    outcome: dice.one(['pending', 'hired', 'declined', 'withdrawn', 'attended', 'no_show']),
    // A candidate has at most one live application to an opportunity.
    is_live: dice.chance(0.3) && !of.applications.some(isLiveIn),
    source: values.maybe(values.text),
    score: values.maybe(() => dice.one(values.pools.decimals)),
    tags: values.tags(),
    rating: values.maybe(() => 1 + dice.below(5)),
    submitted_dt: values.maybe(values.moment),
  };
}

export function randomTemplate(values: RandomValues): Row {
  return {
    ...values.common('message_templates'),
    name: values.text(),
    type: communicationType(values),
    subject: values.text(),
    ...values.body(),
  };
}

export function randomDocument(
  values: RandomValues,
  of: { applications: readonly Row[]; candidates: readonly Row[] },
): Row {
  const { dice } = values;
  const owner = dice.one(['application', 'candidate', 'none']);
  const common = values.common('documents');
  return {
    ...common,
    storage_key: common['uuid'],
    name: values.text(),
    kind: dice.one(['cv', 'cover_letter', 'portfolio', 'other']),
    media_type: dice.one(['application/pdf', 'text/plain']),
    size: 1 + dice.below(1_000_000),
    sha256: dice
      .below(2 ** 32)
      .toString(16)
      .padStart(64, '0'),
    scan: dice.one(['pending', 'clean', 'infected', 'skipped']),
    application_id: owner === 'application' ? dice.one(of.applications)['id'] : null,
    candidate_id: owner === 'candidate' ? dice.one(of.candidates)['id'] : null,
  };
}

export function randomCommunication(
  values: RandomValues,
  of: {
    applications: readonly Row[];
    candidates: readonly Row[];
    recruiters: readonly Row[];
    message_templates: readonly Row[];
  },
): Row {
  const { dice } = values;
  return {
    ...values.common('communications'),
    type: communicationType(values),
    direction: dice.one(['outbound', 'inbound']),
    status: dice.one(['queued', 'sent', 'failed']),
    subject: values.maybe(values.text),
    ...values.body(),
    to_addresses: values.tags(),
    application_id: values.maybe(() => dice.one(of.applications)['id']),
    user_id: dice.one(of.candidates)['id'],
    author_id: dice.one(of.recruiters)['id'],
    // Some template ids have no row, as after the deletion of a template.
    template_id: values.maybe(() => (dice.chance(0.2) ? 1_000_000 : dice.one(of.message_templates)['id'])),
    sent_dt: values.maybe(values.moment),
    failed_reason: values.maybe(() => dice.one(['rejected', 'anonymised'])),
  };
}
