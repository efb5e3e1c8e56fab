/** What every line of a process has, and who reads them on a terminal knows. */
const KNOWN: ReadonlySet<string> = new Set(['time', 'level', 'app', 'release', 'hostname', 'pid', 'msg']);
/** Of the line of a request: told at its beginning, as one reads it, or of no interest to who has sent it a moment ago. */
const OF_REQUEST: ReadonlySet<string> = new Set([
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
 * A line of the log as people read it: `09:00:00.000 WARN  what happened  field=value`, an error's frames below it.
 * @param line  as written in JSON; what is none of ours is returned as it is
 * @returns     with a line break at its end, and no other control character that the line brought
 */
export function toReadable(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { time, level, msg, err, ...fields } = entry;
  const isRequest = typeof fields['method'] === 'string' && 'route' in fields;
  const told = isRequest ? `${inWords(fields)}${msg === 'request' ? '' : ` (${textOf(msg)})`}` : textOf(msg);
  const details = Object.entries(fields).filter(([name]) => !KNOWN.has(name) && !(isRequest && OF_REQUEST.has(name)));
  const head = [
    textOf(time).slice(11, 23),
    textOf(level).toUpperCase().padEnd(5),
    visible(told),
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

/** `PUT /api/v1/candidates/12 200 3.1 ms 512 B` */
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

/** Whoever reads a terminal is told nothing by what moves its cursor, and nothing begins a line but what we begin. */
// eslint-disable-next-line no-control-regex -- these are what it is about
const visible = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function describe(error: unknown, prefix = ''): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { type, stack, cause, errors, ...details } = error as Entry;
  const frames = Array.isArray(stack) ? stack.map((frame) => `      at ${visible(textOf(frame))}`) : [];
  const told = Object.entries(details).map(([name, value]) => ` ${name}=${show(value)}`);
  return [
    `    ${prefix}${visible(textOf(type))}${told.join('')}`,
    ...frames,
    ...describe(cause, 'because of '),
    ...(Array.isArray(errors) ? errors.flatMap((one) => describe(one, 'one of them: ')) : []),
  ];
}
