import {
  type AttributeShape,
  checkExpression,
  type CollectionKey,
  compileExpression,
  parseDatapath,
  parseExpression,
} from '@ats/datapath';
import { DATAPATH_SYNTAX, formDataOf, modelForTexts } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';
import { type FormFactories, type ItemIds, itemIdsOf, type Properties } from '../support/form-factories.js';

const OPTIONS = [{ value: 'B' }, { value: 'C' }, { value: 'ÄÖ' }];
/** Maps a key to an item of the form whose conditions are tested. There is one item of each type. */
export const OWN_ITEMS: Readonly<Record<string, Properties>> = {
  t: { type: 'text' },
  long: { type: 'textarea' },
  rich: { type: 'rich_text' },
  n: { type: 'integer' },
  d: { type: 'decimal' },
  ok: { type: 'boolean' },
  day: { type: 'date' },
  at: { type: 'datetime' },
  one: { type: 'single_select', options: OPTIONS },
  many: { type: 'multi_select', options: OPTIONS },
  mail: { type: 'email' },
  tel: { type: 'phone' },
};

/** Maps the key of an item to the type of its value in expressions. */
const SHAPES: Readonly<Record<string, AttributeShape>> = {
  t: { type: 'text' },
  long: { type: 'text' },
  rich: { type: 'rich_text' },
  n: { type: 'integer' },
  d: { type: 'decimal' },
  ok: { type: 'boolean' },
  day: { type: 'date' },
  at: { type: 'datetime' },
  one: { type: 'text' },
  many: { type: 'text', many: true },
  mail: { type: 'text' },
  tel: { type: 'text' },
};

/**
 * Values to send, by name. A name is the key of an item of `OWN_ITEMS`, and may end in `:<section instance>` or
 * `:<section instance>:<form instance>`.
 */
export type OwnValues = Readonly<Record<string, unknown>>;

const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Maps a datapath to its value in the application of the tests. Dates are two days away from today, so that midnight
 * during a run changes no result.
 */
const FACTS: Readonly<Record<string, unknown>> = {
  'application.app_type': 'vacancy_application',
  'application.rating': 3,
  'application.source': null,
  'application.tags': ['hot', 'x'],
  'application.main_process_state.state.state': 'submitted',
  'application.opportunity.location': 'Berlin',
  'application.opportunity.title': 'Engineer',
  'application.opportunity.closing_date': dayFrom(2),
  'application.vacancy.openings': 2,
  'application.vacancy.opening_date': dayFrom(-2),
  'application.vacancy.tags': [],
  'application.event.venue': null,
  'application.posting.title': null,
  'application.user.firstname': 'Ada',
  'application.user.fullname': 'Ada Byron',
  'application.candidate.date_of_birth': '1990-05-01',
  'application.candidate.title': null,
  'application.candidate.Address.City': ['Berlin', 'Wien'],
  'application.candidate.Phone.Number': [],
};
export const FACT_PATHS = Object.keys(FACTS);

/** An application in the database, with the same values in memory. */
export class ConditionWorld {
  private constructor(
    private readonly api: Api,
    private readonly make: Factories,
    readonly application: Item,
    private readonly facts: Readonly<Record<string, unknown>>,
    /**
     * Ids of the items of other forms that conditions name: `$other` is an item of a form for applications, and
     * `$grade` is an item of a form for vacancies.
     */
    private readonly others: ItemIds,
  ) {}

  static async create(api: Api, make: Factories, forms: FormFactories): Promise<ConditionWorld> {
    const vacancy = await make.vacancy({
      location: 'Berlin',
      title: 'Engineer',
      openings: 2,
      opening_date: FACTS['application.vacancy.opening_date'],
      closing_date: FACTS['application.opportunity.closing_date'],
    });
    const Address = [
      { Label: 'home', City: 'Berlin' },
      { Label: 'correspondence', City: 'Wien' },
    ];
    const user = await make.candidate({ firstname: 'Ada', lastname: 'Byron', date_of_birth: '1990-05-01', Address });
    const application = await make.application({
      opportunity_id: vacancy.id,
      user_id: user.id,
      rating: 3,
      tags: ['hot', 'x'],
    });
    const { other } = await forms.itemsOf({ other: { type: 'integer' } });
    const { grade } = await forms.itemsOf({ grade: {} }, { resource: 'vacancies' });
    await forms.write(application, [{ item_id: other, value: 7 }]);
    await forms.write(vacancy, [{ item_id: grade, value: 'senior' }], 'vacancies');
    const facts = {
      ...FACTS,
      [`application.formdata.${other}`]: 7,
      [`application.vacancy.formdata.${grade}`]: 'senior',
      [`application.opportunity.formdata.${grade}`]: 'senior',
    };
    return new ConditionWorld(api, make, application, facts, { other: other ?? 0, grade: grade ?? 0 });
  }

  /** Replaces `$other` and `$grade` in a condition by the ids of the items. */
  named(condition: string): string {
    return condition.replace(/\$(\w+)/g, (_, key: string) => String(this.others[key]));
  }

  /**
   * Creates a form that has `OWN_ITEMS` in a repeatable section. For each condition, it also has a probe item `p<n>`
   * with this condition.
   */
  async formWith(conditions: readonly string[]): Promise<ItemIds> {
    const own = Object.entries(OWN_ITEMS).map(([key, item]) => ({ key, label: key, ...item }));
    const probes = conditions.map((condition, index) => ({
      key: `p${index}`,
      label: 'Probe',
      type: 'text',
      visible_if: this.named(condition),
    }));
    return itemIdsOf(
      await this.make.form({
        sections: [
          { name: 'Own', repeatable: true, items: own },
          { name: 'Probes', items: probes },
        ],
      }),
    );
  }

  /**
   * Evaluates each condition through the API. One request writes `values` and a value for each probe item. A probe item
   * whose condition is false causes a violation `not_visible`. When all probe items are visible, a second request
   * clears the values.
   */
  async askApi(items: ItemIds, conditions: readonly string[], values: OwnValues): Promise<readonly boolean[]> {
    const own = Object.entries(values).map(([place, value]) => {
      const [key = '', section_instance = 1, form_instance = 1] = place
        .split(':')
        .map((part, index) => (index === 0 ? part : Number(part))) as [string, number?, number?];
      return { item_id: items[key], section_instance, form_instance, value };
    });
    const write = (form_values: readonly Properties[]) =>
      this.api.post(`/applications/${this.application.id}/form_values`, { form_values });
    const answer = await write([
      ...own,
      ...conditions.map((_, index) => ({ item_id: items[`p${index}`], value: 'x' })),
    ]);
    if (answer.status === 200)
      await write([
        ...own.map((value) => ({ ...value, value: null })),
        ...conditions.map((_, index) => ({ item_id: items[`p${index}`], value: null })),
      ]);
    const others =
      answer.status === 200 ? [] : answer.violations.filter((violation) => !violation.startsWith('not_visible '));
    if (others.length > 0) throw new Error(`${JSON.stringify(values)}: ${answer.text}`);
    return conditions.map(
      (_, index) =>
        answer.status === 200 || !answer.violations.includes(`not_visible /form_values/${own.length + index}/value`),
    );
  }

  /**
   * Evaluates the condition with the compiled closure on the same values.
   * @param seen  the values of `OWN_ITEMS` as the API returns them
   */
  async askClosure(condition: string, seen: OwnValues): Promise<boolean | undefined> {
    const text = this.named(condition);
    const known = await modelForTexts((sql, parameters) => this.api.database.query(sql, parameters), [text]);
    const model = {
      ...known,
      keyedValue: (owner: string, key: CollectionKey) =>
        (owner === 'application' ? SHAPES[key.parts[0] ?? ''] : undefined) ?? known.keyedValue?.(owner, key),
    };
    const compiled = compileExpression(checkExpression(parseExpression(text, model), model, ['application']));
    const own = new Map(
      Object.entries(seen).map(([place, value]) => [`${place}:1:1`.split(':').slice(0, 3).join(':'), value]),
    );
    return compiled.evaluate({ now: new Date(), timeZone: 'UTC', valueOf: (datapath) => this.#valueOf(datapath, own) });
  }

  #valueOf(datapath: string, own: ReadonlyMap<string, unknown>): unknown {
    const path = parseDatapath(datapath, DATAPATH_SYNTAX);
    const [{ names }, formData] = [path, formDataOf(path)];
    if (names.length === 1 && formData && Object.hasOwn(SHAPES, formData.item))
      return own.get(`${formData.item}:${formData.section}:${formData.form}`) ?? null;
    if ((formData?.section ?? 1) > 1 || (formData?.form ?? 1) > 1) return null;
    if (!Object.hasOwn(this.facts, datapath)) throw new Error(`the test has no value of ${datapath}`);
    return this.facts[datapath];
  }
}
