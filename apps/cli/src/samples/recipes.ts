import { type Made, type Samples } from './samples.js';

/** A function that raises one event. @returns the subject of the event */
type Recipe = (samples: Samples) => Promise<Made>;

/** Returns the recipes for the three events of a plain resource: created, changed and deleted. */
const plain = (
  name: string,
  resource: Exclude<keyof Samples, 'get' | 'post' | 'change' | 'delete' | 'move'>,
  change: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Recipe>> => ({
  [`${name}_CREATE`]: (samples) => samples[resource](),
  [`${name}_UPDATE`]: async (samples) => samples.change(resource, await samples[resource](), change),
  [`${name}_DELETE`]: async (samples) => samples.delete(resource, await samples[resource]()),
});

/**
 * Maps each event type to the function that raises its event. Leaves out event types whose events only time or a
 * failure raises.
 */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...plain('APPLICATION', 'vacancy_applications', { source: 'Changed sample' }),
  ...plain('CANDIDATE', 'candidates', { firstname: 'Changed' }),
  ...plain('VACANCY', 'vacancies', { title: 'Changed sample vacancy' }),
  ...plain('EVENT', 'events', { title: 'Changed sample event' }),
  ...plain('POSTING', 'postings', { title: 'Changed sample posting' }),
  ...plain('JOB_BOARD', 'job_boards', { name: 'Changed sample job board' }),
  ...plain('FORM', 'forms', { name: 'Changed sample form' }),
  ...plain('DOCUMENT', 'documents', { name: 'changed-sample.txt' }),
  STATE_CHANGE_APPLICATION: async (samples) => {
    const made = await samples.vacancy_applications();
    return samples.move(`vacancy_applications/${made.id}/process_state`, 'in_review', made);
  },
  STATE_CHANGE_OPPORTUNITY: (samples) => samples.openVacancy(),
  FORM_VALUES_CHANGE: async (samples) => {
    const vacancy = await samples.openVacancy();
    const form = await samples.forms(vacancy);
    const [section] = form['sections'] as readonly { items: readonly { id: number }[] }[];
    const made = await samples.vacancy_applications(vacancy);
    await samples.post(`vacancy_applications/${made.id}/form_values`, {
      form_values: [{ item_id: section?.items[0]?.id, value: 'Sample' }],
    });
    return made;
  },
  CANDIDATE_ANONYMISE: async (samples) => {
    const made = await samples.candidates();
    await samples.post(`candidates/${made.id}/anonymise`);
    return made;
  },
  COMMUNICATION_SENT: async (samples) => {
    const { id } = await samples.vacancy_applications();
    return samples.post(`vacancy_applications/${id}/comms`, { subject: 'Sample', body: '<p>Sample</p>' });
  },
  CREDENTIAL_CREATED: (samples) => samples.credentials(),
  CREDENTIAL_REVOKED: async (samples) => samples.delete('credentials', await samples.credentials()),
  SUBSCRIPTION_DISABLED: async (samples) => {
    const topic = await samples.post('notification_topics', { type: 'FORM_DELETE', name: 'Sample topic' });
    const path = `notification_topics/${topic.id}/subscriptions`;
    const made = await samples.post(path, { destination_url: 'https://sample.example.com/hook' });
    await samples.post(`${path}/${made.id}/disable`);
    return made;
  },
};
