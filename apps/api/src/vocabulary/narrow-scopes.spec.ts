import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allows, allScopes, narrowScopes, RequiresScope, type Scope } from './scopes.js';

// Declares scopes such as `applications:create`, which exist only when a route requires them.
RequiresScope('applications:create', 'applications:move', 'vacancies:delete');

const scopes = fc.uniqueArray(fc.constantFrom(...allScopes()), { maxLength: 8 });
const isAllowed = (granted: readonly string[], scope: Scope): boolean => allows(new Set(granted), scope);

test('the common scopes of two lists allow exactly what both lists allow', () => {
  fc.assert(
    fc.property(scopes, scopes, (some, others) => {
      const common = narrowScopes(some, others);
      for (const scope of allScopes().filter((one) => !one.startsWith('*')))
        expect([scope, isAllowed(common, scope)]).toEqual([scope, isAllowed(some, scope) && isAllowed(others, scope)]);
      for (const scope of common as readonly Scope[])
        expect(isAllowed(some, scope) && isAllowed(others, scope)).toBe(true);
    }),
  );
});
