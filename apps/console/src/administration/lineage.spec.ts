import { expect, it } from '@jest/globals';
import { countBelow, type Credential, type Family, familiesOf } from './lineage.js';

const credential = (id: number, maker: number | null, revoked_dt: string | null = null): Credential => ({
  ...{ id, name: `c${id}`, key_id: '', scopes: [], expires_dt: null, last_used_dt: null, revoked_dt },
  created_by: maker === null ? null : { id: maker },
});
const outline = ({ credential: { id }, children }: Family): unknown => [id, ...children.map(outline)];

it('the tree of credentials has each credential below its maker, and credentials of unknown makers at the top', () => {
  const families = familiesOf([
    credential(1, null),
    credential(2, 1),
    credential(3, 2),
    credential(5, 4),
    credential(6, 1),
  ]);
  expect(families.map(outline)).toEqual([[1, [2, [3]], [6]], [5]]);
});

it('the tree of credentials counts the live credentials below each one, at any depth', () => {
  const [family] = familiesOf([
    credential(1, null),
    credential(2, 1, '2026-01-01T00:00:00Z'),
    credential(3, 2),
    credential(4, 1),
  ]);
  expect(countBelow(family as Family)).toBe(2);
});
