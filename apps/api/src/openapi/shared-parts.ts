import { STATUS_CODES } from 'node:http';
import { type JsonSchema } from '@ats/domain';

export interface OperationObject extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

type Paths<Operation> = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface SharedParts {
  readonly paths: Paths<JsonSchema>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/**
 * Moves parameters and responses that several operations have to the components, and refers to them. Most operations
 * have the same ones, so this makes the document several times smaller.
 */
export function shareRepeatedParts(paths: Paths<OperationObject>): SharedParts {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = new Pool(
    'parameters',
    operations.flatMap((operation) => operation.parameters),
  );
  const responses = new Pool(
    'responses',
    operations.flatMap((operation) => Object.values(operation.responses)),
  );
  const shared = (operation: OperationObject): JsonSchema => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => parameters.reference(String(parameter['name']), parameter)),
    responses: mapped(operation.responses, (response, status) =>
      '$ref' in response ? response : responses.reference(phraseOf(status), response),
    ),
  });
  return {
    paths: mapped(paths, (methods) => mapped(methods, shared)),
    parameters: parameters.components(),
    responses: responses.components(),
  };
}

/** The name of a status without spaces, such as `NotFound`. */
const phraseOf = (status: string): string => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');

const mapped = <In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In, key: string) => Out,
): Readonly<Record<string, Out>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** The parts of one kind. A part that occurs twice or more becomes a component. */
class Pool {
  readonly #repeated = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #components: Record<string, JsonSchema> = {};

  constructor(
    private readonly kind: string,
    parts: readonly JsonSchema[],
  ) {
    const seen = new Set<string>();
    for (const text of parts.map((part) => JSON.stringify(part)))
      if (seen.has(text)) this.#repeated.add(text);
      else seen.add(text);
  }

  /** @returns the part itself, or a reference to its component, which gets the name or the name with a number */
  reference(name: string, part: JsonSchema): JsonSchema {
    const text = JSON.stringify(part);
    if (!this.#repeated.has(text)) return part;
    const known = this.#names.get(text) ?? this.#freeName(name);
    this.#names.set(text, known);
    this.#components[known] = part;
    return { $ref: `#/components/${this.kind}/${known}` };
  }

  components(): Readonly<Record<string, JsonSchema>> {
    return this.#components;
  }

  #freeName(name: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name}_${number}`;
      if (!(candidate in this.#components)) return candidate;
    }
  }
}
