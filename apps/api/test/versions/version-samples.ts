import { type Item } from '../support/answer.js';
import { type Sample } from './every-version.js';
import { type Factories } from '../support/factories.js';
import { CALLS, type MakeCall } from '../support/openapi-calls.js';
import { type Operation } from '../support/openapi-document.js';

/** The resource whose items an operation shows. */
export interface Shown {
  readonly resource: string;
  /** The root of the resource's datapaths. */
  readonly root: string;
}

/**
 * Makes the calls that are sent to every version: a default call of each operation, a call with a layout (which shows
 * the numeric id) for each operation that accepts a layout, and further calls whose answers have differed between
 * versions.
 * @param operations  all operations of all versions
 * @param shownBy  returns the resource that an operation shows
 */
export function samplesOf(
  operations: readonly Operation[],
  shownBy: (operation: Operation) => Shown | undefined,
): readonly Sample[] {
  const plain = Object.entries(CALLS).map(([operation, make]): Sample => ({ operation, title: '', make }));
  const withLayout = operations.filter(takesLayout).flatMap((operation): Sample[] => {
    const [make, shown] = [CALLS[operation.name], shownBy(operation)];
    return make && shown ? [{ operation: operation.name, title: HTML, make: asHtml(make, shown) }] : [];
  });
  return [...plain, ...withLayout, ...MORE];
}

const HTML = 'with a layout, as HTML';

/** True when the operation accepts a layout. Resources below a subscription have no layouts. */
const takesLayout = ({ parameters, path }: Operation): boolean =>
  parameters.some(({ name }) => name === 'layout') && !path.includes('/subscriptions');

const asHtml =
  (call: MakeCall, { root, resource }: Shown): MakeCall =>
  async (make, example) => {
    const layout = await make.layout({ resource, columns: [{ title: 'Id', datapath: `${root}.id` }] });
    const { query, ...rest } = await call(make, example);
    return { ...rest, query: [query, `layout=${layout.id}`, 'rich_txt_fmt=html'].filter(Boolean).join('&') };
  };

/** Reads form values of several types. Versions differ in values that are not texts. */
const formValues = (path: string, resource: string, item: (make: Factories) => Promise<Item>): Sample => ({
  operation: `GET ${path}/{id}/form_values`,
  title: 'form values of several types, as HTML',
  make: async (make) => {
    const types = {
      integer: 7,
      decimal: 7.5,
      boolean: true,
      date: '2026-11-21',
      text: 'a & b',
      rich_text: '<p>a &amp; b</p>',
    };
    const items = Object.keys(types).map((type) => ({ key: type, label: type, type }));
    const form = await make.form({ resource, sections: [{ name: 'Section', items }] });
    const made = (
      form['sections'] as readonly { readonly items: readonly (Item & { readonly type: keyof typeof types })[] }[]
    ).flatMap((section) => section.items);
    const { id } = await make.formValues(
      await item(make),
      made.map(({ id: item_id, type }) => ({ item_id, value: types[type] })),
    );
    return { path: { id }, query: 'rich_txt_fmt=html' };
  },
});

/** Reads communications of a candidate with two applications, each of which has a communication. */
const comms = (path: string, item: (make: Factories, user_id: number) => Promise<Item>): readonly Sample[] => {
  const title = 'for a candidate with two applications';
  const make: MakeCall = async (factories) => {
    const { id } = await factories.candidate();
    const [first, second] = [await item(factories, id), await item(factories, id)];
    for (const application of [first, second]) await factories.communication({ application });
    return { path: { id: first.id } };
  };
  return [
    { operation: `GET ${path}/{id}/comms`, title, make },
    {
      operation: `POST ${path}/{id}/comms/query`,
      title,
      make: async (factories, example) => ({ ...(await make(factories, example)), body: {} }),
    },
  ];
};

const VACANCY_APPLICATIONS = ['/api/v1/applications', '/api/v1/vacancy_applications'];
const EVENT_APPLICATIONS = ['/api/v1/event_applications', '/api/v1/event_registrations'];

const MORE: readonly Sample[] = [
  ...VACANCY_APPLICATIONS.flatMap((path) => [
    ...comms(path, (make, user_id) => make.application({ user_id })),
    formValues(path, 'applications', (make) => make.application()),
  ]),
  ...EVENT_APPLICATIONS.flatMap((path) => [
    ...comms(path, (make, user_id) => make.eventApplication({ user_id })),
    formValues(path, 'event_applications', (make) => make.eventApplication()),
  ]),
  formValues('/api/v1/vacancies', 'vacancies', (make) => make.vacancy()),
  formValues('/api/v1/events', 'events', (make) => make.event()),
];
