import {
  allResources,
  datapathRoots,
  EVENT_ROOTS,
  EVENT_TYPES,
  eventTypeText,
  exampleMessage,
  type JsonSchema,
  listDatapaths,
  messageSchema,
  requiredScopes,
} from '@ats/domain';
import { openApiDocument } from '../openapi/document.js';
import { type DescribedRoute } from '../openapi/routes.js';
import { CHANGES_IN_EVERY_VERSION } from '../versions/changes-in-every-version.js';
import { VERSIONS } from '../versions/versions.js';

/** The base URL in the pages of the site. Readers put their own in its place. */
const BASE_URL = 'https://ats.example.com';

/** Returns the versions on the page of the changelog, newest first. */
const changelog = (): readonly object[] =>
  [...VERSIONS.declarations].reverse().map(({ version, date, status, changelog: text, upgrade, changes }) => ({
    version,
    date,
    status,
    text,
    upgrade,
    endpoints: [...new Set(changes.flatMap(({ endpoints }) => endpoints))],
  }));

const eventTypes = (): readonly object[] =>
  EVENT_TYPES.map((type) => ({
    type,
    description: eventTypeText(type),
    root: EVENT_ROOTS[type],
    scopes: requiredScopes(EVENT_ROOTS[type], 'id'),
    schema: messageSchema(type, BASE_URL),
    example: exampleMessage(type, BASE_URL),
  }));

const datapaths = (): Readonly<Record<string, readonly object[]>> =>
  Object.fromEntries(
    datapathRoots().map((root) => [root, listDatapaths({ root, prefix: [''], text: undefined, items: [] })]),
  );

/**
 * The data that the documentation site derives from the code: the OpenAPI document of the default version, and the
 * catalogues. `apps/docs` makes pages from them.
 */
export const siteReference = (routes: readonly DescribedRoute[], scopes: readonly object[]): JsonSchema => ({
  openapi: openApiDocument(routes, { baseUrl: BASE_URL, version: VERSIONS.default, hasFullTexts: true }),
  versions: { default: VERSIONS.default, newest: VERSIONS.newest, all: changelog() },
  changesInEveryVersion: CHANGES_IN_EVERY_VERSION,
  scopes,
  eventTypes: eventTypes(),
  datapaths: datapaths(),
  errorCodes: Object.fromEntries(allResources().map(({ name, type }) => [name, type.errorCodes])),
});
