// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createEngine,
  sprigConversions,
  sprigDefaults,
  sprigDicts,
  sprigFlow,
  sprigHash,
  sprigLists,
  sprigMath,
  sprigRegex,
  sprigStrings,
  sprigTypes,
} from '@promptctl/go-template-js';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments, stringify } from 'yaml';

/** @typedef {Record<string, any>} Values */
/**
 * @typedef {{ name: string, labels?: Record<string, string>, annotations?: Record<string, string> }} Metadata
 * @typedef {{ apiVersion: string, kind: string, metadata: Metadata, spec?: any, data?: any, [key: string]: any }}
 *   Manifest
 */

/**
 * Renders the chart like `helm template`: merges values, checks their schema, and runs Go templates with sprig's
 * functions and the functions of Helm that our chart uses. docs/adr/0021 describes how the output was compared with
 * Helm's own.
 * @param {string} chart directory
 * @param {Values} values
 * @returns {{ manifests: Manifest[], notes: string }}
 */
export function render(chart, values) {
  const read = (/** @type {string} */ file) => readFileSync(join(chart, file), 'utf8');
  const fileContents = (/** @type {string} */ file) => (existsSync(join(chart, file)) ? read(file) : '');
  // The template engine supports no methods. The chart uses only the method `.Files.Get`, which becomes a function
  // here.
  const template = (/** @type {string} */ file) =>
    read(join('templates', file)).replace(/\$?[\w.]*\.Files\.Get (?=")/g, 'fileContents ');
  const merged = merge(parse(read('values.yaml')), values);
  checkValues(JSON.parse(read('values.schema.json')), merged);
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const scope = {
    Values: merged,
    Chart: { Name: name, Version: String(version), AppVersion: String(appVersion) },
    Release: { Name: 'test', Namespace: 'hiring', Service: 'Helm' },
  };
  const files = readdirSync(join(chart, 'templates'));
  const definitions = files
    .filter((file) => file.endsWith('.tpl'))
    .map(template)
    .join('');
  const fill = engine(definitions, scope, fileContents);
  const outputs = files.filter((file) => file.endsWith('.yaml')).map((file) => fill(template(file)));
  return {
    manifests: outputs
      .flatMap((output) => parseAllDocuments(output))
      .map((document) => documentOf(document))
      .filter((manifest) => manifest !== null),
    notes: fill(template('NOTES.txt')),
  };
}

/**
 * Converts a parsed YAML document to its value. Throws when the document has an error.
 * @param {any} document
 */
function documentOf(document) {
  if (document.errors.length > 0) throw document.errors[0];
  return document.toJS();
}

/** Stands between the definitions, which print blank lines, and the template. Output before it is dropped. */
const BEGIN = '\u0000';

/**
 * Makes a function that fills in a template.
 * @param {string} definitions @param {object} scope @param {(file: string) => string} fileContents
 */
function engine(definitions, scope, fileContents) {
  /** Maps a text to the parsed template. Parsing takes most of the time, and templates include some texts often. */
  const parsed = new Map();
  const toText = (/** @type {string} */ text, /** @type {unknown} */ data) => {
    const template = parsed.get(text) ?? templates.parse(`${definitions}${BEGIN}${text}`);
    parsed.set(text, template);
    return template.evaluate(data).join('').split(BEGIN)[1] ?? '';
  };
  const templates = createEngine({
    fromString: (text) => text,
    funcs: {
      ...sprigConversions(),
      ...sprigDefaults(),
      ...sprigDicts(),
      ...sprigFlow(),
      ...sprigHash(),
      ...sprigLists(),
      ...sprigMath(),
      ...sprigRegex(),
      ...sprigStrings(),
      ...sprigTypes(),
      fileContents: { fn: fileContents, argTypes: ['string'] },
      include: {
        fn: (name, data) => toText(`{{ template ${JSON.stringify(name)} . }}`, data),
        argTypes: ['string', 'value'],
      },
      toYaml: {
        fn: (value) => stringify(sorted(value), { lineWidth: 0, singleQuote: true }).trimEnd(),
        argTypes: ['value'],
      },
      fromYaml: { fn: (text) => parse(text), argTypes: ['string'] },
    },
  });
  return (/** @type {string} */ text) => toText(text, scope);
}

/**
 * Merges objects recursively and replaces other values. null removes a key.
 * @param {Values} below @param {Values} above
 * @returns {Values}
 */
export function merge(below, above) {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) && isObject(result[key]) ? merge(result[key], value) : value;
  }
  return result;
}

/**
 * True for an object, but not for null.
 * @param {unknown} value
 */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sorts keys, as Go does. @param {unknown} value @returns {unknown} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(/** @type {object} */ (value))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/**
 * Checks values with a JSON Schema. Throws an error that lists all violations.
 * @param {object} schema @param {Values} values
 */
function checkValues(schema, values) {
  const ajv = new Ajv({ allErrors: true, strict: false });
  if (!ajv.validate(schema, values)) throw new Error(ajv.errorsText(ajv.errors, { dataVar: 'values' }));
}
