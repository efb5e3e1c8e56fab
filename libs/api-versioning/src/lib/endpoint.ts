/** A pattern of endpoints: returns true when it matches an endpoint. */
export type EndpointPattern = (method: string, path: string) => boolean;

const PATTERN = /^(\*|[A-Z]+) (\*|\/)\S*$/;

/**
 * Parses a method and a path, with `*` for any text including slashes: `POST /v1/*` matches every POST below `/v1/`,
 * and `* *` matches everything. HEAD counts as GET.
 * @returns null when the text is not a pattern of endpoints
 */
export function parseEndpoint(text: string): EndpointPattern | null {
  const [wantedMethod = '', wantedPath = ''] = text.split(' ');
  if (!PATTERN.test(text)) return null;
  const expression = new RegExp(`^${wantedPath.split('*').map(escape).join('.*')}$`, 's');
  return (method, path) =>
    (wantedMethod === '*' || wantedMethod === (method === 'HEAD' ? 'GET' : method)) && expression.test(path);
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
