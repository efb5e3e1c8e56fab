import { type ApiVersionDeclaration } from '../api-version.js';

/** The oldest version that is served. */
export const version: ApiVersionDeclaration = {
  version: '1.2',
  date: '2021-08-19',
  status: 'stable',
  changelog: 'Form values endpoints: new serialisation, atomic updates, more data types, improved validation.',
  changes: [],
};
