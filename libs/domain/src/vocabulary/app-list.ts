/** The names of the closed lists whose values the API defines, not the descriptions of the objects. */
export type AppListName = 'api_versions' | 'scopes';

type Values = () => readonly string[];

const lists = new Map<AppListName, Values>();

/** Sets the values of a closed list. Every check reads the values anew, so an app may still add values later. */
export function defineAppList(name: AppListName, values: Values): void {
  lists.set(name, values);
}

/**
 * Returns the source of a closed list for an attribute. In an app that does not define the list, every value is valid.
 */
export const appList = (name: AppListName) => (): readonly string[] | undefined => lists.get(name)?.();
