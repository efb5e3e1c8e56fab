import fc from 'fast-check';
import ipaddr from 'ipaddr.js';

/** Maps each scope of the sequences to all scopes that it includes. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  'applications:read': [],
  'applications:create': [],
  'applications:write': ['applications:create'],
  'credentials:read': [],
  'credentials:create': [],
  'credentials:delete': [],
  'credentials:write': ['credentials:create', 'credentials:delete'],
  'credentials:impersonate': [],
  'credentials:admin': [],
  '*:read': ['applications:read', 'credentials:read'],
  '*:write': [
    'applications:write',
    'applications:create',
    'credentials:write',
    'credentials:create',
    'credentials:delete',
  ],
  '*:admin': ['credentials:impersonate', 'credentials:admin'],
};
const SCOPES = Object.keys(INCLUDED);
export const ALL_SCOPES: readonly string[] = ['*:read', '*:write', '*:admin'];
const NETWORKS = ['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.3/32', '::/0', '2001:db8::/32', '2001:db8:1::/48'];
export const ADDRESSES = [
  '10.1.2.3',
  '10.1.9.9',
  '10.200.0.1',
  '203.0.113.9',
  '2001:db8:1::5',
  '2001:db8:2::5',
  '2620::1',
];

export const has = (scopes: readonly string[], scope: string): boolean =>
  scopes.some((one) => one === scope || INCLUDED[one]?.includes(scope) === true);
export const covers = (scopes: readonly string[], others: readonly string[]): boolean =>
  others.every((scope) => has(scopes, scope));

const known = new Map<string, boolean>();
export function admits(networks: readonly string[], address: string): boolean {
  const key = `${networks.join()} ${address}`;
  const result = known.get(key) ?? isIn(networks, address);
  known.set(key, result);
  return result;
}

function isIn(networks: readonly string[], address: string): boolean {
  const parsed = ipaddr.parse(address);
  return (
    networks.length === 0 ||
    networks.some((network) => {
      const range = ipaddr.parseCIDR(network);
      return range[0].kind() === parsed.kind() && parsed.match(range);
    })
  );
}

/** True when each network is inside one of the networks in `others`. */
export const lieInside = (networks: readonly string[], others: readonly string[]): boolean =>
  others.length === 0 ||
  networks.every((network) =>
    others.some((other) => {
      const [[start, length], outer] = [ipaddr.parseCIDR(network), ipaddr.parseCIDR(other)];
      return start.kind() === outer[0].kind() && length >= outer[1] && start.match(outer);
    }),
  );

export type Command =
  | {
      readonly kind: 'create';
      readonly maker: number;
      readonly scopes: readonly string[];
      readonly recruiter: number | null;
      readonly hours: number | null;
      readonly networks: readonly string[];
    }
  | { readonly kind: 'revoke'; readonly actor: number; readonly target: number; readonly keepChildren: boolean }
  | { readonly kind: 'activate'; readonly recruiter: number; readonly isActive: boolean }
  | { readonly kind: 'pass'; readonly hours: number };

const index = fc.nat({ max: 50 });
const create = fc.record({
  kind: fc.constant('create' as const),
  maker: index,
  scopes: fc.oneof(
    fc.constant([...ALL_SCOPES]),
    fc.subarray(SCOPES, { minLength: 1, maxLength: 5 }),
    fc.subarray(SCOPES, { maxLength: 2 }).map((some) => [...new Set(['credentials:write', ...some])]),
  ),
  recruiter: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
  hours: fc.option(fc.constantFrom(-1, 3, 24, 24 * 30, 24 * 60)),
  networks: fc.oneof(fc.constant<string[]>([]), fc.subarray(NETWORKS, { minLength: 1, maxLength: 2 })),
});
/**
 * Generates sequences of operations. A number selects a credential or recruiter, modulo the number of existing ones.
 */
export const sequences: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: create },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('revoke' as const),
        actor: index,
        target: index,
        keepChildren: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('activate' as const),
        recruiter: fc.nat({ max: 2 }),
        isActive: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(2, 23, 24 * 25, 24 * 40) }),
    },
  ),
  { minLength: 2, maxLength: 12 },
);
