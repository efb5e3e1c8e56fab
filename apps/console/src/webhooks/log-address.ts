/**
 * Returns the address of the delivery log of another endpoint. It keeps the conditions that can apply to any endpoint.
 * @param search  the query of the present address
 */
export function logAddress(search: string, endpoint: string): string {
  const query = new URLSearchParams(search);
  query.set('endpoint', endpoint);
  for (const name of ['topic', 'type', 'delivery']) query.delete(name);
  return `webhooks/log?${query.toString()}`;
}
