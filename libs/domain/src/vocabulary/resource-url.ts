export const API_PREFIX = '/api/v1';

/**
 * Returns the absolute URL of one item.
 * @param baseUrl     `PUBLIC_BASE_URL` without a slash at its end
 * @param collection  first path of a resource
 */
export const resourceUrl = (baseUrl: string, collection: string, id: number): string =>
  `${baseUrl}${API_PREFIX}/${collection}/${id}`;
