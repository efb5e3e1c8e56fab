import { type JsonSchema } from '@ats/domain';

type Components = Readonly<Record<string, JsonSchema>>;
type Values = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI document from which the examples of answers are made. */
interface Parts {
  readonly paths: Components;
  readonly responses: Components;
  readonly requestBodies: Components;
  readonly schemas: Components;
}

/**
 * Adds an example to each schema that a successful answer has. Tools derive the example of an answer from its schema: a
 * list contains the example of its items. An example at each answer would take four times as much space.
 *
 * The values are those of the example in the request that writes the same property. Other values follow from the name
 * or the type; what may be null is null.
 */
export function schemasWithExamples({ paths, responses, requestBodies, schemas }: Parts): Components {
  const reader = new Reader({ responses, requestBodies, schemas });
  const written = new Map<string, Values>();
  const names = new Set<string>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods as Components))) {
    const answers = Object.entries((operation['responses'] ?? {}) as Components).filter(([status]) =>
      /^2/.test(status),
    );
    for (const [, answer] of answers) {
      const name = reader.answerOf(answer);
      if (name === undefined) continue;
      names.add(name);
      written.set(name, { ...reader.bodyOf(operation['requestBody'] as JsonSchema | undefined), ...written.get(name) });
    }
  }
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      names.has(name) ? { ...schema, examples: [reader.exampleOf(schema, written.get(name) ?? {}, [name])] } : schema,
    ]),
  );
}

/** Example values of types and formats. */
const VALUES: Values = {
  integer: 12,
  number: 2.5,
  boolean: true,
  string: 'text',
  uri: 'https://ats.example.com/12',
  uuid: '018f9d0c-5f0e-7b1a-9b64-3c1f5d2a7e10',
  date: '2026-11-28',
  'date-time': '2026-11-28T09:30:00.000Z',
  email: 'ada@example.com',
};

/** Example values by the name of a property, or by the names of an object and its property. */
const NAMED: Values = {
  'Phone.Number': '+44 20 7946 0958',
  'Url.Address': 'https://ada.example.com',
  'columns.title': 'Last name',
  'columns.type': 'text',
  'credentials.name': 'Job boards',
  'datapath.path': 'application.user.lastname',
  'event_type.description': 'A posting is created.',
  'process.name': 'Application',
  'scopes.description': 'Reading applications',
  'sections.name': 'Experience',
  allowed_cidrs: '192.0.2.0/24',
  application_count: 3,
  changed: '/name',
  datapath: 'application.user.lastname',
  domain: 'ats.example.com',
  environment: 'production',
  expires_in: 3600,
  expression: 'application.rating > 3',
  firstname: 'Ada',
  grant_types_supported: 'client_credentials',
  is_many: false,
  is_terminal: false,
  issuer: 'CN=Example CA',
  key_id: 'Hk3vQ9sW',
  lastname: 'Lovelace',
  media_type: 'application/pdf',
  name: 'Careers',
  operations: 'applications.list',
  points: 10,
  position: 1,
  property: '/name',
  reference: 'R-1042',
  resource: 'vacancies',
  scope: 'applications:read',
  size: 48_213,
  subject: 'CN=ats.example.com',
  tags: 'remote',
  timezone: 'Europe/London',
  title: 'Software engineer',
  to: 'ada@example.com',
  too_many_in: 'vacancies',
  version: '1.9',
};

class Reader {
  constructor(private readonly components: Omit<Parts, 'paths'>) {}

  /** Returns the name of the component that an answer refers to. For a list, it is the component of the items. */
  answerOf(answer: JsonSchema): string | undefined {
    let schema = jsonOf(this.#resolve(answer))?.schema;
    if (schema?.['type'] === 'array') schema = schema['items'] as JsonSchema;
    const [whole = schema] = (schema?.['anyOf'] ?? []) as readonly JsonSchema[];
    let name = nameOf(whole);
    // A schema that is only a reference has the example of its target.
    for (let next = name; next !== undefined; next = nameOf(this.components.schemas[next])) name = next;
    return name;
  }

  /** Returns the example of a request body, or no values when the body has no example. */
  bodyOf(body: JsonSchema | undefined): Values {
    const example = body && jsonOf(this.#resolve(body))?.example;
    return typeof example === 'object' && example !== null ? (example as Values) : {};
  }

  /**
   * Returns an example of a schema.
   * @param written  values for the properties of the schema; a value that does not fit is ignored
   * @param place  the names of the component, and of the properties that lead to the schema
   */
  exampleOf(given: JsonSchema, written: Values, place: readonly string[]): unknown {
    const schema = this.#resolve(given);
    const depth = place.length - 1;
    const { const: fixed, default: fallback, enum: values, examples, properties, items, type } = schema;
    if (depth > 0 && Array.isArray(examples)) return examples[0] as unknown;
    if (fixed !== undefined) return fixed;
    if (fallback !== undefined) return fallback;
    const choices = (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[];
    const types = [type ?? choices.map((choice) => this.#resolve(choice)['type'])].flat();
    if (depth > 0 && types.includes('null')) return null;
    if (Array.isArray(values)) return values[0] as unknown;
    const [choice] = choices;
    if (choice) return this.exampleOf(choice, written, place);
    const required = new Set(schema['required'] as readonly string[] | undefined);
    if (properties !== undefined)
      return withNameOfState(
        Object.fromEntries(
          Object.entries(properties as Components)
            .filter(([name]) => required.size === 0 || required.has(name))
            .map(([name, property]) => [name, this.#valueOf(property, written[name], [...place, name])]),
        ),
      );
    if (types[0] === 'object') return {};
    if (types[0] === 'array') return depth > 1 || !items ? [] : [this.exampleOf(items as JsonSchema, {}, place)];
    const named = [place.slice(-2).join('.'), ...place.slice(-1)].map((name) => NAMED[name]);
    const ofType = [schema['format'], types[0]].map((key) => (typeof key === 'string' ? VALUES[key] : undefined));
    const [value = null] = [...named.filter((found) => this.#takes(schema, found)), ...ofType].filter(
      (found) => found !== undefined,
    );
    return typeof value === 'number' ? Math.min(value, Number(schema['maximum'] ?? value)) : value;
  }

  /**
   * Returns the value of the request example when it fits the property, otherwise an example that follows from the
   * schema.
   */
  #valueOf(property: JsonSchema, written: unknown, place: readonly string[]): unknown {
    return this.#takes(property, written) ? written : this.exampleOf(property, {}, place);
  }

  /** True when a value, or each value of a list, fits a schema. */
  #takes(schema: JsonSchema, value: unknown): boolean {
    const { type, format, enum: values, items, anyOf } = this.#resolve(schema);
    if (Array.isArray(anyOf)) return (anyOf as readonly JsonSchema[]).some((choice) => this.#takes(choice, value));
    const types = [type].flat();
    if (Array.isArray(value))
      return types.includes('array') && !!items && value.every((one) => this.#takes(items as JsonSchema, one));
    return (
      ['string', 'number', 'boolean'].includes(typeof value) &&
      (types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'))) &&
      (format === undefined || format === 'email') &&
      (values === undefined || (values as readonly unknown[]).includes(value))
    );
  }

  /** Follows references, and adds the properties of the bases that a schema extends. */
  #resolve(given: JsonSchema): JsonSchema {
    const { $ref, ...own } = given;
    if (typeof $ref === 'string') {
      const [, , kind = '', name = ''] = $ref.split('/');
      const target = (this.components as Readonly<Record<string, Components>>)[kind]?.[name] ?? {};
      return this.#resolve({ ...target, ...own });
    }
    const { allOf, ...extension } = given;
    if (!Array.isArray(allOf)) return given;
    const merged = [...(allOf as readonly JsonSchema[]).map((base) => this.#resolve(base)), extension];
    return {
      ...(Object.assign({}, ...merged) as JsonSchema),
      properties: Object.assign({}, ...merged.map(({ properties }) => properties)) as JsonSchema,
      required: merged.flatMap(({ required }) => (required ?? []) as readonly string[]),
    };
  }
}

/** Gives an example of a state the name that fits its key. Other examples stay the same. */
const withNameOfState = (example: Values): Values =>
  typeof example['state'] === 'string' && 'name' in example
    ? { ...example, name: (example['state'][0] ?? '').toUpperCase() + example['state'].slice(1).replaceAll('_', ' ') }
    : example;

/** Returns the JSON media type of an answer or a request body. */
const jsonOf = ({ content }: JsonSchema): { readonly schema: JsonSchema; readonly example?: unknown } | undefined =>
  ((content ?? {}) as Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>)[
    'application/json'
  ];

const nameOf = (schema: JsonSchema | undefined): string | undefined =>
  typeof schema?.['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
