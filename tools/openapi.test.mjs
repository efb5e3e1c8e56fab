// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadDocuments } from './openapi/documents.mjs';
import { root } from './workspace.mjs';

const { standard, documentOf } = await loadDocuments('http://localhost:3000');
/** @type {any} */
const document = documentOf(standard);
/** @param {any} part @returns {any} */
const resolved = (part) => {
  if (!part?.$ref) return part;
  const [, , kind, name] = part.$ref.split('/');
  return resolved(document.components[kind][name]);
};

test('the reference of resources lists the required properties of the OpenAPI document', () => {
  /** @param {any} schema @returns {string[]} */
  const requiredIn = (schema) => {
    const { allOf = [], required = [] } = resolved(schema);
    return [...allOf.flatMap(requiredIn), ...required];
  };

  const page = readFileSync(join(root, 'docs/reference/resources.md'), 'utf8');
  const [, section = ''] = page.split('## Required properties');
  const [table = ''] = section.split('\n## ');
  const listed = [...table.matchAll(/^\| ([\w, ]+) \| (`.*) \|$/gm)].flatMap(([, names = '', text = '']) => {
    // A choice of properties, such as `user_id` or `candidate`, is no required property.
    const properties = text.split(', ').flatMap((part) => (part.includes(' or ') ? [] : [part.replaceAll('`', '')]));
    return names.split(', ').map((name) => /** @type {[string, string[]]} */ ([name, properties.sort()]));
  });

  const described = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) => {
      const [, name] = /^(\w+)\.create$/.exec(operationId ?? '') ?? [];
      const schema = resolved(requestBody)?.content['application/json']?.schema;
      return name && schema
        ? [/** @type {[string, string[]]} */ ([name, [...new Set(requiredIn(schema))].sort()])]
        : [];
    });
  assert.ok(described.length > 15, `found ${described.length} resources`);
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(described));
});

test('the reference of errors lists the codes of violations in the OpenAPI document', () => {
  const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8');
  const tables = page.slice(page.indexOf('## Common codes'), page.indexOf('## Requests without an answer'));
  const listed = [...tables.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  const { errors } = resolved(document.components.schemas.problem).properties;
  assert.deepEqual(listed.toSorted(), resolved(errors.items.properties.code).enum.toSorted());
});
