/** The names of the closed lists that the API defines. The object types define all other closed lists. */
export type AppListName = 'api_versions' | 'scopes';

type Values = () => readonly string[];

const lists = new Map<AppListName, Values>();

/** Sets the values of a closed list. Every check calls `values` again, so the list may grow after this call. */
export function defineAppList(name: AppListName, values: Values): void {
  lists.set(name, values);
}

/**
 * Returns the source of a closed list for an attribute. In an app that does not define the list, every value is valid.
 */
export const appList = (name: AppListName) => (): readonly string[] | undefined => lists.get(name)?.();
