/** A credential, as far as the list shows it. */
export interface Credential {
  readonly id: number;
  readonly name: string;
  readonly key_id: string;
  readonly scopes: readonly string[];
  readonly created_by: { readonly id: number } | null;
  readonly expires_dt: string | null;
  readonly last_used_dt: string | null;
  readonly revoked_dt: string | null;
}

/** A credential with those that it made. */
export interface Family {
  readonly credential: Credential;
  readonly children: readonly Family[];
}

/** Puts each credential below its maker. One whose maker is not in the list is at the top. */
export function familiesOf(credentials: readonly Credential[]): readonly Family[] {
  const ids = new Set(credentials.map(({ id }) => id));
  const makerOf = ({ created_by }: Credential): number => (created_by && ids.has(created_by.id) ? created_by.id : 0);
  const below = (maker: number): readonly Family[] =>
    credentials
      .filter((credential) => makerOf(credential) === maker)
      .map((credential) => ({ credential, children: below(credential.id) }));
  return below(0);
}

/** The number of credentials that a credential made, directly or through others, and that are not revoked. */
export const countBelow = ({ children }: Family): number =>
  children.reduce((sum, child) => sum + (child.credential.revoked_dt === null ? 1 : 0) + countBelow(child), 0);
