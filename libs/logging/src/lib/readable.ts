/**
 * Fields that are not shown as `name=value`. Time, level and text begin the line. The others have the same value in
 * each line of a process, so a terminal does not show them.
 */
const PROCESS_FIELDS: ReadonlySet<string> = new Set(['time', 'level', 'app', 'release', 'hostname', 'pid', 'msg']);
/**
 * Fields of a request line that are not shown as `name=value`. `inWords` shows some of these fields. The others seldom
 * matter at a terminal.
 */
const REQUEST_FIELDS: ReadonlySet<string> = new Set([
  'method',
  'route',
  'params',
  'status',
  'duration_ms',
  'response_bytes',
  'credential_id',
  'api_version',
  'language',
]);

type Entry = Readonly<Record<string, unknown>>;

/**
 * Formats one line for a terminal: `09:00:00.000 WARN what happened field=value`. An error's stack follows below.
 * @param line  a JSON line of {@link createLogger}; any other text is returned unchanged
 * @returns a text that ends with a line break. All other control characters are escaped.
 */
export function toReadable(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { time, level, msg, err, ...fields } = entry;
  const isRequest = typeof fields['method'] === 'string' && 'route' in fields;
  const text = isRequest ? `${inWords(fields)}${msg === 'request' ? '' : ` (${textOf(msg)})`}` : textOf(msg);
  const details = Object.entries(fields).filter(
    ([name]) => !PROCESS_FIELDS.has(name) && !(isRequest && REQUEST_FIELDS.has(name)),
  );
  const head = [
    textOf(time).slice(11, 23),
    textOf(level).toUpperCase().padEnd(5),
    visible(text),
    ...details.map(([name, value]) => `${name}=${show(value)}`),
  ];
  return [head.join(' ').trimEnd(), ...describe(err), ''].join('\n');
}

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line) as Entry;
    return typeof entry['level'] === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Describes a request briefly, such as `PUT /api/v1/candidates/12 200 3.1 ms 512 B`. */
function inWords({ method, route, params, status, duration_ms: durationMs, response_bytes: bytes }: Entry): string {
  const given = (params ?? {}) as Readonly<Record<string, unknown>>;
  const path =
    typeof route === 'string'
      ? route.replace(/:(\w+)/g, (pattern, name: string) => textOf(given[name] ?? pattern))
      : 'no route';
  return [
    method,
    path,
    status,
    durationMs !== undefined && `${textOf(durationMs)} ms`,
    bytes !== undefined && `${textOf(bytes)} B`,
  ]
    .filter(Boolean)
    .join(' ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const show = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/+-]+$/.test(value) ? value : visible(JSON.stringify(value));

/**
 * Escapes control characters and direction marks. A logged text can then neither begin a new line nor move the cursor.
 */
const visible = (text: string): string =>
  text.replace(
    // oxlint-disable-next-line no-control-regex -- the characters to escape
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function describe(error: unknown, prefix = ''): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { type, stack, cause, errors, ...details } = error as Entry;
  const frames = Array.isArray(stack) ? stack.map((frame) => `      at ${visible(textOf(frame))}`) : [];
  const fields = Object.entries(details).map(([name, value]) => ` ${name}=${show(value)}`);
  return [
    `    ${prefix}${visible(textOf(type))}${fields.join('')}`,
    ...frames,
    ...describe(cause, 'because of '),
    ...(Array.isArray(errors) ? errors.flatMap((one) => describe(one, 'one of them: ')) : []),
  ];
}
