// @ts-check
import { cell, code, json, markdown, page, table, urlOf } from './text.mjs';

/** @typedef {Record<string, any>} Reference the content of `reference.json` */

/**
 * Returns the pages that list values of the service, such as all error codes.
 * @param {Reference} reference
 * @returns {ReadonlyMap<string, string>} maps the path of each page to its text
 */
export const cataloguePages = (reference) =>
  new Map([
    ['catalogues/error-codes', errorCodes(reference)],
    ['catalogues/scopes', scopes(reference)],
    ['catalogues/event-types', eventTypes(reference)],
    ...reference.eventTypes.map((/** @type {Reference} */ type) => [
      `catalogues/event-types/${slugOf(type.type)}`,
      eventType(type),
    ]),
    ['catalogues/datapaths', datapaths(reference)],
    ...Object.entries(reference.datapaths).map(([root, entries]) => [
      `catalogues/datapaths/${slugOf(root)}`,
      datapathRoot(root, entries, Object.keys(reference.datapaths)),
    ]),
    ['changelog', changelog(reference)],
  ]);

/** @param {string} name */
const slugOf = (name) => name.toLowerCase().replaceAll('_', '-');

/** @param {Reference} reference */
function errorCodes({ errorCodes: byResource }) {
  const rows = Object.entries(byResource).flatMap(([resource, codes]) =>
    Object.entries(codes).map(([name, meaning]) => [
      code(name),
      `[${resource}](${urlOf(`api/${resource}`)})`,
      cell(meaning),
    ]),
  );
  return page({
    title: 'Error codes of resources',
    description: 'The codes that single resources add to the common ones.',
    body: `Each violation in \`errors\` has a \`code\`. The [common codes](${urlOf('reference/errors', '#common-codes')}) hold
everywhere. This table has the codes that single resources add.

${table(
  ['Code', 'Resource', 'Meaning'],
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
)}`,
  });
}

/** @param {Reference} reference */
function scopes({ scopes: all }) {
  const rows = all.map((/** @type {Reference} */ { scope, description, includes, operations }) => [
    code(scope),
    cell(description),
    includes.map(code).join(', ') || '',
    String(operations.length),
  ]);
  return page({
    title: 'Scopes',
    description: 'Every scope that a credential can have.',
    body: `A credential has a list of scopes. [Authentication](${urlOf('reference/authentication', '#scopes')}) has the rules.
Each operation of the API reference names the scopes that it needs, and \`GET /scopes\` lists the operations of each
scope.

${table(['Scope', 'What it allows', 'Includes', 'Operations'], rows)}`,
  });
}

/** @param {Reference} reference */
function eventTypes({ eventTypes: all }) {
  const rows = all.map((/** @type {Reference} */ { type, description, root, scopes: needed }) => [
    `[\`${type}\`](${urlOf(`catalogues/event-types/${slugOf(type)}`)})`,
    cell(description),
    code(root),
    needed.map(code).join(', '),
  ]);
  return page({
    title: 'Event types',
    description: 'Every type of event, with the message that receivers get.',
    body: `A topic selects events of one or more types. [Notifications](${urlOf('reference/notifications')}) has the rules, and
[Receiving notifications](${urlOf('guides/webhooks')}) builds a receiver.

${table(['Type', 'Event', 'Root of expressions', 'Scopes to read the subject'], rows)}`,
  });
}

/** @param {Reference} type */
const eventType = ({ type, description, root, scopes: needed, schema, example }) =>
  page({
    title: type,
    description,
    body: `${markdown(description)} Expressions of topics begin with ${code(root)}. Creating a topic needs the scope
\`notifications:create\`; reading the subject needs ${needed.map(code).join(', ') || 'no further scope'}.

## Message

${json(example)}

## Schema

${json(schema)}`,
    more: { prev: false, next: false },
  });

/** @param {Reference} reference */
const datapaths = ({ datapaths: byRoot }) =>
  page({
    title: 'Datapaths',
    description: 'The roots of datapaths, with the names that may follow.',
    body: `A datapath begins with a root and follows relations to a value, such as
\`application.opportunity.location\`. [Datapaths](${urlOf('reference/datapaths')}) has the rules. \`GET /datapaths\` searches
them, with those of your forms.

${table(
  ['Root', 'Names that may follow'],
  Object.entries(byRoot).map(([root, entries]) => [
    `[\`${root}\`](${urlOf(`catalogues/datapaths/${slugOf(root)}`)})`,
    String(entries.length),
  ]),
)}`,
  });

/** @param {string} root @param {readonly Reference[]} entries @param {readonly string[]} roots */
const datapathRoot = (root, entries, roots) =>
  page({
    title: `Datapaths of ${root}`,
    description: `The datapaths that begin with ${root}.`,
    body: table(
      ['Datapath', 'Type', 'Meaning', 'Used in', 'Scopes'],
      entries.map(({ path, type, is_many, target, description, label, used_in, scopes: needed }) => [
        code(path),
        `${roots.includes(target) ? `[${target}](${urlOf(`catalogues/datapaths/${slugOf(target)}`)})` : (target ?? type)}${is_many ? ', many' : ''}`,
        cell(description ?? (label === path.split('.').at(-1) ? '' : (label ?? ''))),
        used_in.join(', '),
        needed.map(code).join(', '),
      ]),
    ),
    more: { prev: false, next: false },
  });

/** @param {Reference} reference */
function changelog({ versions, changesInEveryVersion }) {
  const every = changesInEveryVersion.map(
    (/** @type {Reference} */ { date, changes }) =>
      `## Every version, ${date}\n\nThese changes hold in all minor versions.\n\n${changes
        .map((/** @type {Reference} */ { change, upgrade }) => `- ${markdown(change)}${upgradeText(upgrade)}`)
        .join('\n')}`,
  );
  const each = versions.all.map((/** @type {Reference} */ { version, date, status, text, upgrade, endpoints }) => {
    const remark = version === versions.default ? `${status}, the default` : status;
    const paths = endpoints.filter((/** @type {string} */ endpoint) => !endpoint.endsWith(' *')).map(endpointText);
    return `## ${version}\n\n${date}, ${remark}. ${markdown(text)}${upgradeText(upgrade)}${paths.length > 0 ? `\n\n${paths.join(' ')}` : ''}`;
  });
  return page({
    title: 'Changelog',
    description: 'What each minor version changed, and how to upgrade.',
    body: `Select a version per request, for example \`Api-Version: ${versions.newest}\`, or with the \`api_version\` of your
credential. The default is **${versions.default}**, the newest stable version. To upgrade, go through the versions
above yours from bottom to top. Try each with the header before you rely on it. \`/openapi.json?version=${versions.newest}\` is
the document of one version.

${[...every, ...each].join('\n\n')}`,
  });
}

/** @param {string | undefined} upgrade */
const upgradeText = (upgrade) => (upgrade === undefined ? '' : ` **To upgrade:** ${markdown(upgrade)}`);

/** Formats an endpoint in the list of changes, such as `GET …/history`. @param {string} endpoint */
const endpointText = (endpoint) =>
  code(
    endpoint
      .replace('/api/v1', '')
      .replaceAll('*', '…')
      .replaceAll(/:(\w+)/g, '{$1}'),
  );
