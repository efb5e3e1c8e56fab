/** The API call that a view makes. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`, such as `/notification_topics/1`, or `/openapi.json`. */
  readonly path: string;
  /** The name of the function of `@ats/client`, such as `notificationTopicsGet`. */
  readonly operation: string;
  /** Maps the names of the parameters in the path to their values. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** True when the answer is a stream of server-sent events, which does not end. */
  readonly isStream?: boolean;
}

/** Returns the name of the function of `@ats/client` for an operation. For `job_boards.list` it is `jobBoardsList`. */
export const functionOf = (operation: { readonly operationId?: string } | undefined): string =>
  (operation?.operationId ?? '').replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the call as a curl command. The command has a variable for the token, so the token is never shown. */
export function asCurl(serviceUrl: string, { method, path, query = {}, headers = {}, body, isStream }: Call): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const search = new URLSearchParams(entries).toString();
  const lines = [
    `curl ${isStream ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quote(`${serviceUrl}${path === '/openapi.json' ? '' : '/api/v1'}${path}${search && `?${search}`}`)}`,
    `-H "Authorization: Bearer $ATS_TOKEN"`,
    ...(isStream ? [`-H 'Accept: text/event-stream'`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns the call as a program that uses `@ats/client`. */
export function asTypeScript(serviceUrl: string, { operation, params, query, headers, body, isStream }: Call): string {
  const options = Object.entries({ path: params, query, headers, body })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`);
  return `import { createClient, ${operation} } from '@ats/client';

const client = createClient({ baseUrl: '${serviceUrl}', token: process.env.ATS_TOKEN ?? '' });
${isStream ? streamed(operation, options.join('')) : `const { data } = await ${operation}({ client${options.join('')} });`}
`;
}

/** Returns the statements that read a stream. Without `parseAs`, the call would wait for the end of the stream. */
const streamed = (operation: string, options: string): string => `const { data } = await ${operation}({
  client${options},
  headers: { Accept: 'text/event-stream' },
  parseAs: 'stream',
});
const decoder = new TextDecoder();
for await (const bytes of data as unknown as AsyncIterable<Uint8Array>)
  process.stdout.write(decoder.decode(bytes, { stream: true }));`;
