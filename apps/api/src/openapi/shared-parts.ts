import { STATUS_CODES } from 'node:http';
import { type JsonSchema } from '@ats/domain';

export interface OperationObject extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

type Paths<Operation> = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface SharedParts {
  /** Path items: the operations by method, and the `parameters` that all operations of the path take. */
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  readonly requestBodies: Readonly<Record<string, JsonSchema>>;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/**
 * Moves parameters, request bodies and responses that several operations have to the components, and refers to them. A
 * parameter that all operations of a path have moves to the path. This makes the document several times smaller.
 */
export function shareRepeatedParts(paths: Paths<OperationObject>): SharedParts {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = new Pool(
    'parameters',
    operations.flatMap((operation) =>
      operation.parameters.map((part) => ({ part, names: parameterNames(operation, part) })),
    ),
  );
  const bodies = new Pool(
    'requestBodies',
    operations.flatMap((operation) =>
      operation.requestBody === undefined
        ? []
        : [{ part: operation.requestBody, names: bodyNames(operation, operation.requestBody) }],
    ),
  );
  const responses = new Pool(
    'responses',
    operations.flatMap((operation) =>
      Object.entries(operation.responses).flatMap(([status, part]) =>
        '$ref' in part ? [] : [{ part, names: responseNames(operation, status, part) }],
      ),
    ),
  );
  const shared = (operation: OperationObject): OperationObject => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => parameters.reference(parameter)),
    ...(operation.requestBody && { requestBody: bodies.reference(operation.requestBody) }),
    responses: mapped(operation.responses, (response) => responses.reference(response)),
  });
  return {
    paths: mapped(paths, (methods) => withCommonParameters(mapped(methods, shared))),
    parameters: parameters.components(),
    requestBodies: bodies.components(),
    responses: responses.components(),
  };
}

/** Moves the parameters that all operations of a path take to the path. */
function withCommonParameters(methods: Readonly<Record<string, OperationObject>>): JsonSchema {
  const [first, ...others] = Object.values(methods).map(({ parameters }) =>
    parameters.map((one) => JSON.stringify(one)),
  );
  const common = (first ?? []).filter((text) => others.every((texts) => texts.includes(text)));
  if (common.length === 0 || others.length === 0) return methods;
  const isOwn = (parameter: JsonSchema): boolean => !common.includes(JSON.stringify(parameter));
  return {
    parameters: common.map((text) => JSON.parse(text) as JsonSchema),
    ...mapped(methods, ({ parameters, ...operation }) => {
      const own = parameters.filter(isOwn);
      return own.length > 0 ? { ...operation, parameters: own } : operation;
    }),
  };
}

const idOf = (operation: OperationObject): string => String(operation['operationId']).replaceAll('.', '_');

/**
 * Returns possible names for the component of a parameter, the best first: the name of the parameter, then the same
 * name with the id of the first operation that has the parameter.
 */
const parameterNames = (operation: OperationObject, { name }: JsonSchema): readonly string[] => [
  String(name),
  `${String(name)}_${idOf(operation)}`,
];

/**
 * Returns possible names for the component of a request body, the best first. The first contains the name of its
 * schema, or `file` when it has no schema. The second contains the id of the first operation that has the body.
 */
const bodyNames = (operation: OperationObject, body: JsonSchema): readonly string[] => [
  `${schemaNameOf(mediaOf(body)?.schema ?? {}) || 'file'}_body`,
  `${idOf(operation)}_body`,
];

/**
 * Returns possible names for the component of a response, the best first. The first contains the status and the schema,
 * such as `OK_vacancies_list`. The second contains the status and the id of the first operation that has the response,
 * such as `UnprocessableEntity_applications_create`.
 */
function responseNames(operation: OperationObject, status: string, response: JsonSchema): readonly string[] {
  const media = mediaOf(response);
  const list = media?.schema['items'] as JsonSchema | undefined;
  const whole = list ?? media?.schema ?? {};
  const [shown = whole] = (whole['anyOf'] ?? []) as readonly JsonSchema[];
  const schema = schemaNameOf(shown);
  const phrase = phraseOf(status);
  const byOperation = `${phrase}_${idOf(operation)}`;
  if (schema === 'problem') return [byOperation];
  return [[phrase, schema, list ? 'list' : ''].filter(Boolean).join('_'), byOperation];
}

/** Returns the first media type of a request body or a response. */
const mediaOf = ({ content }: JsonSchema): { readonly schema: JsonSchema } | undefined =>
  Object.values((content ?? {}) as Readonly<Record<string, { readonly schema: JsonSchema }>>)[0];

/** Returns the name of the component that a schema refers to. Empty for a schema that is no reference. */
const schemaNameOf = ({ $ref }: { readonly $ref?: string }): string =>
  ($ref ?? '').replace('#/components/schemas/', '');

/** Returns the name of a status without spaces, such as `NotFound`. */
const phraseOf = (status: string): string => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');

const mapped = <In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In, key: string) => Out,
): Readonly<Record<string, Out>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** A part of an operation, and the possible names of its component, the best first. */
interface NamedPart {
  readonly part: JsonSchema;
  readonly names: readonly string[];
}

/**
 * Collects the parameters, the request bodies or the responses of all operations. A part that occurs at least twice
 * becomes a component, with the first of its names that is free. More frequent parts choose first, so that most
 * references are short.
 */
class Pool {
  readonly #names = new Map<string, string>();
  readonly #components: Record<string, JsonSchema> = {};

  constructor(
    private readonly kind: string,
    parts: readonly NamedPart[],
  ) {
    const found = new Map<string, NamedPart & { count: number }>();
    for (const named of parts) {
      const text = JSON.stringify(named.part);
      const known = found.get(text);
      if (known) known.count += 1;
      else found.set(text, { ...named, count: 1 });
    }
    const repeated = [...found].filter(([, { count }]) => count > 1);
    for (const [text, { part, names }] of repeated.toSorted(([, a], [, b]) => b.count - a.count)) {
      const name = names.find((candidate) => !(candidate in this.#components));
      if (name === undefined) throw new Error(`two different ${kind} have the same name: ${names.join(', ')}`);
      this.#names.set(text, name);
      this.#components[name] = part;
    }
  }

  /** Returns a reference to the component of the part, or the part itself when it has no component. */
  reference(part: JsonSchema): JsonSchema {
    const name = this.#names.get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${this.kind}/${name}` };
  }

  components(): Readonly<Record<string, JsonSchema>> {
    return this.#components;
  }
}
