// @ts-check
import { Reader } from './schema.mjs';
import { samples } from './samples.mjs';
import { cell, code, escapeHtml, firstSentence, json, markdown, page, table, urlOf } from './text.mjs';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {{ method: string, path: string, operation: Schema, slug: string }} Endpoint */
/** @typedef {{ name: string, title: string, text: string, endpoints: readonly Endpoint[] }} Tag */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Makes the pages of the API reference: one page for each resource, and one page for each operation. */
export class OperationPages {
  /** @param {Schema} document */
  constructor(document) {
    this.document = document;
    this.reader = new Reader(document);
    this.tags = tagsOf(document);
    this.urls = new Map(
      this.tags.flatMap((tag) =>
        tag.endpoints.map(({ operation, slug }) => [operation.operationId, urlOf(`api/${tag.name}/${slug}`)]),
      ),
    );
  }

  /**
   * Converts a text of the OpenAPI document to Markdown. Links to operations become links to their pages. @param
   * {string} text
   */
  #text = (text) =>
    markdown(text).replaceAll(/\]\(#operation\/([^)]+)\)/g, (whole, id) => `](${this.urls.get(id) ?? urlOf('api')})`);

  /** @returns {ReadonlyMap<string, string>} maps the path of each page to its text */
  all() {
    return new Map(
      this.tags.flatMap((tag) => [
        /** @type {const} */ ([`api/${tag.name}`, this.#resource(tag)]),
        ...tag.endpoints.map(
          (endpoint) => /** @type {const} */ ([`api/${tag.name}/${endpoint.slug}`, this.#operation(tag, endpoint)]),
        ),
      ]),
    );
  }

  /** Returns the groups of resources in the sidebar, each with the resources in it. */
  groups = () =>
    /** @type {{ name: string, tags: string[] }[]} */ (this.document['x-tagGroups']).map(({ name, tags }) => ({
      name,
      tags: this.tags.filter((tag) => tags.includes(tag.name)),
    }));

  /** @param {Tag} tag */
  #resource(tag) {
    const rows = tag.endpoints.map(({ method, path, operation, slug }) => [
      `[${cell(operation.summary ?? slug)}](${urlOf(`api/${tag.name}/${slug}`)})`,
      code(`${method.toUpperCase()} ${path}`),
    ]);
    const schema = this.document.components.schemas[tag.name];
    const fields = schema ? this.reader.rows(schema) : [];
    const body = [
      this.#text(tag.text),
      '## Operations',
      table(['Operation', 'Request'], rows),
      fields.length > 0 && `## The item\n\n${table(['Property', 'Type', 'Meaning'], fields)}`,
      fields.length > 0 && `## Example\n\n${json(this.reader.example(schema))}`,
    ];
    return page({ title: tag.title, description: firstSentence(tag.text), body: joined(body) });
  }

  /** @param {Tag} tag @param {Endpoint} endpoint */
  #operation(tag, endpoint) {
    const { method, path, operation } = endpoint;
    const body = [
      `<p class="request"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></p>`,
      this.#text(operation.description ?? ''),
      `The operation id is ${code(operation.operationId)}. The call of [${code('@ats/client')}](${urlOf('tools/client')}) is ${code(callOf(operation.operationId))}.`,
      foundLast([
        this.#samples(tag, endpoint),
        this.#parameters(endpoint),
        this.#body(operation),
        this.#answers(operation),
      ]),
      `[All operations of ${cell(tag.title)}](${urlOf(`api/${tag.name}`)})`,
    ];
    const title = operation.summary ?? `${method.toUpperCase()} ${path}`;
    return page({
      title,
      description: firstSentence(operation.description || title),
      body: joined(body),
      more: { tableOfContents: false, prev: false, next: false },
    });
  }

  /** @param {Tag} tag @param {Endpoint} endpoint */
  #samples(tag, { method, path, operation }) {
    const [mediaType, content] = Object.entries(this.reader.resolve(operation.requestBody).content ?? {})[0] ?? [];
    const parameters = (operation.parameters ?? []).map((/** @type {Schema} */ given) => this.reader.resolve(given));
    /** @type {Record<string, unknown>} */
    const values = Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
        const parameter = parameters.find((/** @type {Schema} */ one) => one.in === 'path' && one.name === name);
        return [name, parameter?.example ?? this.reader.example(parameter?.schema) ?? name];
      }),
    );
    const query = Object.fromEntries(
      parameters
        .filter((/** @type {Schema} */ one) => one.in === 'query' && (one.required || one.example !== undefined))
        .map((/** @type {Schema} */ one) => [
          one.name,
          one.example ?? (one.name === 'by' ? this.#groupOf(tag) : this.reader.example(one.schema)),
        ]),
    );
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]));
    const example =
      content &&
      (content.example ?? Object.values(content.examples ?? {})[0]?.value ?? this.reader.example(content.schema));
    const isPublic = Array.isArray(operation.security) && operation.security.length === 0;
    const made = samples({
      method: method.toUpperCase(),
      path: filled,
      name: callOf(operation.operationId),
      parameters: values,
      query,
      isPublic,
      mediaType,
      body: example,
    });
    const shown = made.map(
      ({ name, text }, index) =>
        `<details name="sample"${index === 0 ? ' open' : ''}><summary>${name}</summary>\n\n${text}\n\n</details>`,
    );
    return `## Request\n\n${shown.join('\n')}\n\nReplace the ids with your own. [Begin here](${urlOf('api')}) says what ${code('ATS')}, ${code('TOKEN')} and ${code('client')} are.`;
  }

  /** Returns a property with a closed list for a sample of counts. Falls back to `id`. @param {Tag} tag */
  #groupOf({ name }) {
    const { properties = {} } = this.reader.resolve(this.document.components.schemas[name]);
    return Object.keys(properties).find((one) => this.reader.resolve(properties[one]).enum) ?? 'id';
  }

  /** @param {Endpoint} endpoint */
  #parameters({ operation }) {
    const given = (operation.parameters ?? []).map((/** @type {Schema} */ one) => this.reader.resolve(one));
    const places = [
      ['path', 'In the path'],
      ['query', 'In the query'],
      ['header', 'Headers'],
    ];
    const parts = places.map(([place, title]) => {
      const rows = given
        .filter((/** @type {Schema} */ one) => one.in === place)
        .map((/** @type {Schema} */ one) => [
          code(one.name),
          cell(this.reader.typeOf(one.schema)),
          this.reader.parameterText(one),
        ]);
      return rows.length > 0 && `### ${title}\n\n${table(['Name', 'Type', 'Meaning'], rows)}`;
    });
    return parts.some(Boolean) && joined(['## Parameters', ...parts]);
  }

  /** @param {Schema} operation */
  #body(operation) {
    const body = this.reader.resolve(operation.requestBody);
    const types = Object.keys(body.content ?? {});
    if (types.length === 0) return false;
    const [first = {}] = Object.values(body.content);
    const rows = this.reader.rows(first.schema ?? {});
    const intro = `Sent as ${types.map(code).join(' or ')}.${body.required ? '' : ' It may be left out.'}`;
    return joined([
      '## Body',
      `${this.#text(body.description ?? '')} ${intro}`,
      rows.length > 0 && table(['Property', 'Type', 'Meaning'], rows),
    ]);
  }

  /** @param {Schema} operation */
  #answers(operation) {
    const parts = Object.entries(operation.responses ?? {}).map(([status, given]) => {
      const answer = this.reader.resolve(given);
      const title = status === 'default' ? 'Errors of every operation' : status;
      if (status === 'default')
        return `### ${title}\n\nThe statuses and codes that every operation can have are on the page [Errors](${urlOf('reference/errors')}).`;
      return joined([
        `### ${title}`,
        this.#text(answer.description ?? ''),
        this.#headers(answer),
        this.#content(answer, status),
      ]);
    });
    return joined(['## Answers', ...parts]);
  }

  /** @param {Schema} answer */
  #headers(answer) {
    const names = Object.keys(answer.headers ?? {});
    return names.length > 0 && `Headers: ${names.map(code).join(', ')}.`;
  }

  /** @param {Schema} answer @param {string} status */
  #content(answer, status) {
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
    if (!content || !/^2/.test(status)) return false;
    if (!/json$/.test(String(type))) return `The body is ${code(type)}.`;
    const name = this.#resourceOf(content.schema);
    const intro =
      name &&
      `The body is ${this.reader.resolve(content.schema).type === 'array' ? 'a list of items' : 'an item'} of [${cell(name.title)}](${urlOf(`api/${name.name}`, '#the-item')}).`;
    const rows = name ? [] : this.reader.rows(content.schema ?? {});
    const example = content.example ?? Object.values(content.examples ?? {})[0]?.value;
    return joined([
      intro,
      rows.length > 0 && table(['Property', 'Type', 'Meaning'], rows),
      (name || rows.length > 0 || example !== undefined) && json(example ?? this.reader.example(content.schema)),
    ]);
  }

  /** Finds the resource whose item an answer shows. @param {Schema | undefined} schema @returns {Tag | undefined} */
  #resourceOf(schema) {
    const inner = this.reader.nameOf(schema) ? schema : (schema?.items ?? schema?.anyOf?.[0] ?? schema?.oneOf?.[0]);
    const found = this.reader.nameOf(inner) ?? this.reader.nameOf(inner?.anyOf?.[0]);
    return this.tags.find(({ name }) => name === found);
  }
}

/**
 * Returns the function of `@ats/client` for an operation: `applicationsMove` for `applications.move`. @param {string}
 * operationId
 */
const callOf = (operationId) => operationId.replaceAll(/[._](\w)/g, (_, letter) => letter.toUpperCase());

/** @param {readonly (string | false | undefined)[]} parts */
const joined = (parts) => parts.filter(Boolean).join('\n\n');

/**
 * Wraps parts of a page so that the search ranks their words below the words of other pages. Hundreds of operations
 * have the same parameters, headers and errors. The page of the reference that explains one of these must come first.
 * @param {readonly (string | false | undefined)[]} parts
 */
const foundLast = (parts) => `<div data-pagefind-weight="0.2">\n\n${joined(parts)}\n\n</div>`;

/** @param {Schema} document @returns {readonly Tag[]} */
function tagsOf(document) {
  const endpoints = Object.entries(document.paths).flatMap(([path, { parameters = [], ...operations }]) =>
    METHODS.filter((method) => operations[method]).map((method) => {
      const operation = operations[method];
      return {
        method,
        path,
        operation: { ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] },
      };
    }),
  );
  return document.tags.map((/** @type {Schema} */ { name, description = '', 'x-displayName': title = name }) => ({
    name,
    title,
    text: description,
    endpoints: endpoints
      .filter(({ operation }) => operation.tags?.[0] === name)
      .map((endpoint) => ({ ...endpoint, slug: slugOf(endpoint.operation.operationId, name) })),
  }));
}

/** @param {string} id @param {string} tag */
const slugOf = (id, tag) =>
  (id.startsWith(`${tag}.`) ? id.slice(tag.length + 1) : id).replaceAll(/[^\w-]+/g, '-').toLowerCase();
