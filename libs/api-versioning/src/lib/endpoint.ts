/** Whether an endpoint is one of those that a change touches. */
export type EndpointPattern = (method: string, path: string) => boolean;

const PATTERN = /^(\*|[A-Z]+) (\*|\/)\S*$/;

/**
 * Reads a method and a path, either with `*` for any text, slashes too: `POST /v1/*` is all that is posted below `/v1/`, `* *` is all
 * there is. HEAD counts as GET.
 * @returns null when the text is no pattern
 */
export function parseEndpoint(text: string): EndpointPattern | null {
  const [wantedMethod = '', wantedPath = ''] = text.split(' ');
  if (!PATTERN.test(text)) return null;
  const expression = new RegExp(`^${wantedPath.split('*').map(escape).join('.*')}$`, 's');
  return (method, path) =>
    (wantedMethod === '*' || wantedMethod === (method === 'HEAD' ? 'GET' : method)) && expression.test(path);
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
