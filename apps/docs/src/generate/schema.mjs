// @ts-check
import { cell, code } from './text.mjs';

/** @typedef {Record<string, any>} Schema */

/** Maximum depth of the properties in a table, and of the objects in an example. */
const MAX_DEPTH = 3;
/** Maximum number of values of a closed list that a table shows. */
const MAX_VALUES = 12;

/** Reads an OpenAPI document and follows its references. */
export class Reader {
  /** @param {Schema} document */
  constructor(document) {
    this.document = document;
  }

  /** @param {Schema | undefined} part @returns {Schema} */
  resolve(part) {
    let found = part ?? {};
    for (let steps = 0; typeof found.$ref === 'string' && steps < 10; steps++) {
      const { $ref, ...own } = found;
      const target = $ref
        .slice(2)
        .split('/')
        .reduce((/** @type {Schema} */ inner, name) => inner?.[name.replaceAll('~1', '/')], this.document);
      if (!target) throw new Error(`the OpenAPI document has no schema at ${$ref}`);
      found = { ...target, ...own };
    }
    return found.allOf ? this.#merged(found) : found;
  }

  /** Merges a schema with the schemas in its `allOf`. @param {Schema} schema @returns {Schema} */
  #merged({ allOf, ...own }) {
    const bases = allOf.map((/** @type {Schema} */ base) => this.resolve(base));
    return [...bases, own].reduce((whole, part) => ({
      ...whole,
      ...part,
      properties: { ...whole.properties, ...part.properties },
      required: [...(whole.required ?? []), ...(part.required ?? [])],
    }));
  }

  /** Returns the name of the component that a schema refers to. @param {Schema | undefined} schema */
  nameOf = (schema) => (typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined);

  /** Returns the type of a schema in words, such as `list of integers`. @param {Schema} given @returns {string} */
  typeOf(given) {
    const schema = this.resolve(given);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((/** @type {Schema} */ one) => this.typeOf(one)))].join(' or ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const types = [schema.type ?? (schema.enum ? 'text' : 'any')].flat();
    return types.map((/** @type {string} */ type) => this.#typeName(type, schema)).join(' or ');
  }

  /** @param {string} type @param {Schema} schema */
  #typeName(type, schema) {
    if (type === 'array') return `list of ${schema.items ? this.typeOf(schema.items) : 'any'}`;
    if (type === 'string') return schema.format ?? 'text';
    return type;
  }

  /**
   * Returns one row of a table for each property: its name, type and description. The rows of inner properties follow
   * the row of their parent and have its path.
   * @param {Schema} given
   * @param {{ path?: string, depth?: number, seen?: readonly string[] }} [place]
   * @returns {string[][]}
   */
  rows(given, { path = '', depth = 1, seen = [] } = {}) {
    const schema = this.#objectIn(given);
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const inner = this.resolve(property);
      const own = `${path}${name}`;
      const component = this.nameOf(property) ?? this.nameOf(inner.items);
      const isDeep = depth >= MAX_DEPTH || (component !== undefined && seen.includes(component));
      const below = isDeep
        ? []
        : this.rows(inner, { path: `${own}.`, depth: depth + 1, seen: [...seen, component ?? ''] });
      return [[code(own), cell(this.typeOf(property)), this.#text(inner, required.has(name))], ...below];
    });
  }

  /**
   * Returns the object whose properties a table shows. For a list, this is the schema of its items.
   * @param {Schema} given @returns {Schema}
   */
  #objectIn(given) {
    const schema = this.resolve(given);
    const choice = (schema.anyOf ?? schema.oneOf)?.find(
      (/** @type {Schema} */ one) => this.resolve(one).type !== 'null',
    );
    if (choice) return this.#objectIn(choice);
    return schema.items && !schema.properties ? this.#objectIn(schema.items) : schema;
  }

  /** The documented values of a list that accepts others. @param {Schema} schema @returns {unknown[] | undefined} */
  #known({ anyOf }) {
    const first = anyOf?.[0];
    return first && (first.enum ?? this.#known(this.resolve(first)));
  }

  /** @param {Schema} schema @param {boolean} isRequired */
  #text(schema, isRequired) {
    const known = this.#known(schema);
    const values = schema.enum ?? schema.items?.enum ?? known;
    const shown = values?.filter((/** @type {unknown} */ value) => value !== null);
    const closed = shown?.length
      ? `${values === known ? 'Such as' : 'One of'} ${shown.slice(0, MAX_VALUES).map(code).join(', ')}${shown.length > MAX_VALUES ? `, and ${shown.length - MAX_VALUES} more` : ''}.`
      : '';
    const fallback =
      schema.default === undefined
        ? ''
        : `Default ${code(typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default))}.`;
    const limits = [
      schema.minimum !== undefined && `at least ${schema.minimum}`,
      schema.maximum !== undefined && `at most ${schema.maximum}`,
      schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
      schema.maxItems !== undefined && `at most ${schema.maxItems} items`,
    ].filter(Boolean);
    const bounds = limits.length > 0 ? `${capital(limits.join(', '))}.` : '';
    return [isRequired ? '**Required.**' : '', cell(schema.description ?? ''), closed, fallback, bounds]
      .filter(Boolean)
      .join(' ');
  }

  /** Returns the description, the closed list, the default and the limits of a parameter. @param {Schema} parameter */
  parameterText = (parameter) =>
    this.#text(
      { ...this.resolve(parameter.schema), description: parameter.description },
      parameter.required === true && parameter.in !== 'path',
    );

  /**
   * Makes an example value of a schema from its examples and types.
   * @param {Schema | undefined} given
   * @param {number} [depth]
   * @returns {any}
   */
  example(given, depth = 0) {
    const schema = this.resolve(given);
    if (schema.example !== undefined) return schema.example;
    if (schema.examples?.length) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.default !== undefined && schema.default !== null) return schema.default;
    if (schema.enum) return schema.enum[0];
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.example(choices[0], depth);
    const type = [schema.type].flat()[0];
    if (type === 'object') return depth > MAX_DEPTH ? {} : this.#objectExample(schema, depth);
    if (type === 'array') return depth > MAX_DEPTH || !schema.items ? [] : [this.example(schema.items, depth + 1)];
    return EXAMPLES[schema.format] ?? EXAMPLES[type] ?? null;
  }

  /** @param {Schema} schema @param {number} depth */
  #objectExample = (schema, depth) =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, this.example(property, depth + 1)]),
    );
}

/** @type {Record<string, unknown>} */
const EXAMPLES = {
  integer: 12,
  number: 2.5,
  boolean: true,
  string: 'text',
  uri: 'https://ats.example.com/…',
  uuid: '018f9d0c-5f0e-7b1a-9b64-3c1f5d2a7e10',
  date: '2026-11-28',
  'date-time': '2026-11-28T09:30:00.000Z',
  email: 'ada@example.com',
};

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
