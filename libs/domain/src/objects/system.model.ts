import { text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { apiVersions } from '../vocabulary/api-version.js';

/** The installation itself. */
export const system = objectType({
  name: 'system',
  table: 'systems',
  isSmall: true,
  scopes: ['systems'],
  properties: {
    ...identity(urlIn('systems')),
    name: text({ shown: true }),
    domain: text({ shown: true }),
    environment: text({ shown: true }),
    languages: textList({ shown: true }),
    default_language: text({ shown: true }),
    timezone: text({ shown: true, description: 'IANA name; the dates of postings are days there.' }),
  },
  fromSettings: { api_versions: apiVersions },
});

export const systems = resource({ name: 'systems', type: system, paths: ['systems'] });
