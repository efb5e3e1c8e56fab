/** Narrow scopes that `<resource>:write` includes. Source: docs/reference/authentication.md, "Scopes". */
const NARROW = ['create', 'delete', 'move'];
const ADMIN = ['admin', 'impersonate'];

/** True when scopes include a scope, such as `*:write` includes `events:move`. */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  const [resource = '', action = ''] = scope.split(':');
  const actions = [action, ...(NARROW.includes(action) ? ['write'] : [])];
  const candidates = actions.flatMap((name) => [`${resource}:${name}`, `*:${name}`]);
  return [...candidates, ...(ADMIN.includes(action) ? ['*:admin'] : [])].some((name) => scopes.includes(name));
}
