// @ts-check
import { block } from './text.mjs';

/**
 * @typedef {object} Call
 * @property {string} method in capitals
 * @property {string} path with values for its parameters, such as `/api/v1/applications/12`
 * @property {string} name of the call of `@ats/client`
 * @property {Readonly<Record<string, unknown>>} parameters values of the parameters of the path
 * @property {Readonly<Record<string, string>>} query values of the query parameters, by name
 * @property {boolean} isPublic true when the operation needs no credential
 * @property {string} [mediaType] of the body
 * @property {unknown} [body] an example
 */

const API = '/api/v1';

/**
 * Returns code samples of one call: for the shell, for TypeScript with `@ats/client`, and for Python. The page shows
 * the name of each sample.
 * @param {Call} call
 */
export const samples = (call) => [
  { name: 'curl', text: block('sh', curl(call)) },
  { name: 'TypeScript', text: block('ts', typeScript(call)) },
  { name: 'Python', text: block('py', python(call)) },
];

/** @param {string} path */
const isBelowApi = (path) => path.startsWith(`${API}/`);
/** @param {string} path */
const shellUrl = (path) => (isBelowApi(path) ? `$ATS${path.slice(API.length)}` : `\${ATS%/api/v1}${path}`);
/** @param {Call} call */
const isJson = ({ mediaType }) => mediaType !== undefined && /[/+]json$/.test(mediaType);

/**
 * Returns the fields of a form. Returns undefined when the body is not a form.
 * @param {Call} call
 * @returns {[string, string][] | undefined}
 */
const formOf = ({ mediaType, body }) =>
  mediaType === 'application/x-www-form-urlencoded'
    ? Object.entries(/** @type {Record<string, unknown>} */ (body)).map(([name, value]) => [name, String(value)])
    : undefined;

/** Quotes a text for the shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'"'"'`)}'`;

/** @param {Call} call */
function curl(call) {
  const { method, path, query, isPublic, mediaType, body } = call;
  const form = formOf(call);
  const url = [shellUrl(path), new URLSearchParams(query)].filter(String).join('?');
  const parts = [
    `curl -sS${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} "${url}"`,
  ];
  if (!isPublic) parts.push(`-H "Authorization: Bearer $TOKEN"`);
  if (form) parts.push(...form.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`));
  else if (mediaType !== undefined) parts.push(`-H 'Content-Type: ${mediaType}'`);
  if (isJson(call)) parts.push(`-d ${quoted(JSON.stringify(body, null, 2))}`);
  else if (!form && mediaType !== undefined) parts.push('--data-binary @cv.pdf');
  return parts.join(' \\\n  ');
}

/** @param {Call} call */
function typeScript(call) {
  const { method, name, parameters, query, mediaType, body } = call;
  const form = formOf(call);
  const sent = isJson(call) ? body : form && Object.fromEntries(form);
  const isFile = sent === undefined && mediaType !== undefined;
  const options = [
    'client',
    Object.keys(parameters).length > 0 ? `path: ${typeScriptValue(parameters)}` : '',
    Object.keys(query).length > 0 ? `query: ${typeScriptValue(query)}` : '',
    sent !== undefined ? `body: ${indented(JSON.stringify(sent, null, 2), '  ')}` : '',
    isFile ? "body: new Blob([await readFile('cv.pdf')])" : '',
  ].filter(Boolean);
  const argument =
    sent === undefined ? `{ ${options.join(', ')} }` : `{\n${options.map((line) => `  ${line},`).join('\n')}\n}`;
  const result = method === 'DELETE' ? 'response' : 'data';
  return `${isFile ? "import { readFile } from 'node:fs/promises';\n" : ''}import { ${name} } from '@ats/client';

const { ${result} } = await ${name}(${argument});
console.log(${method === 'DELETE' ? 'response.status' : 'data'});`;
}

/**
 * Writes an object without inner objects in TypeScript, on one line. @param {Readonly<Record<string, unknown>>} values
 */
const typeScriptValue = (values) =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}`)
    .join(', ')} }`;

/** @param {Call} call */
function python(call) {
  const { method, path, query, isPublic, mediaType, body } = call;
  const form = formOf(call);
  const url = isBelowApi(path) ? `f"{ATS}${path.slice(API.length)}"` : `ATS.removesuffix("/api/v1") + "${path}"`;
  const headers = [
    isPublic ? '' : '"Authorization": f"Bearer {TOKEN}"',
    form || mediaType === undefined || mediaType === 'application/json' ? '' : `"Content-Type": "${mediaType}"`,
  ].filter(Boolean);
  const options = [
    Object.keys(query).length > 0 ? `params=${indented(pythonValue(query), '    ')}` : '',
    headers.length > 0 ? `headers={${headers.join(', ')}}` : '',
    isJson(call) ? `json=${indented(pythonValue(body), '    ')}` : '',
    form ? `data=${indented(pythonValue(Object.fromEntries(form)), '    ')}` : '',
    !isJson(call) && !form && mediaType !== undefined ? 'data=open("cv.pdf", "rb")' : '',
  ].filter(Boolean);
  const argument = options.map((option) => `,\n    ${option}`).join('');
  return `response = requests.${method.toLowerCase()}(\n    ${url}${argument},\n)
response.raise_for_status()
${method === 'DELETE' ? 'print(response.status_code)' : 'print(response.text)'}`;
}

/** @param {string} text @param {string} by */
const indented = (text, by) => text.replaceAll('\n', `\n${by}`);

/** Writes a JSON value in the syntax of Python. @param {unknown} value @param {string} [indent] @returns {string} */
function pythonValue(value, indent = '') {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = isList
    ? value.map((one) => pythonValue(one, `${indent}  `))
    : Object.entries(value ?? {}).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, `${indent}  `)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (inner.length === 0) return `${open}${close}`;
  return `${open}\n${inner.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;
}
