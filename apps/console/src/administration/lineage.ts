/** The properties of a credential that the list shows. */
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

/** A credential and the credentials that it made. */
export interface Family {
  readonly credential: Credential;
  readonly children: readonly Family[];
}

/** Puts each credential below its maker. A credential is at the top when its maker is not in the list. */
export function familiesOf(credentials: readonly Credential[]): readonly Family[] {
  const ids = new Set(credentials.map(({ id }) => id));
  const makerOf = ({ created_by }: Credential): number => (created_by && ids.has(created_by.id) ? created_by.id : 0);
  const below = (maker: number): readonly Family[] =>
    credentials
      .filter((credential) => makerOf(credential) === maker)
      .map((credential) => ({ credential, children: below(credential.id) }));
  return below(0);
}

/** Returns the number of live credentials that a credential has made, directly or through credentials that it made. */
export const countBelow = ({ children }: Family): number =>
  children.reduce((sum, child) => sum + (child.credential.revoked_dt === null ? 1 : 0) + countBelow(child), 0);
