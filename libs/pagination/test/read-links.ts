import LinkHeader from 'http-link-header';

/** Reads a `Link` header with a parser from npm. Returns the target of each relation, in the order of the header. */
export const readLinks = (header: string): ReadonlyMap<string, string> =>
  new Map(LinkHeader.parse(header).refs.map(({ rel, uri }) => [rel, uri]));
