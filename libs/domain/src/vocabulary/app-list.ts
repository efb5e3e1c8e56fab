/** The closed lists that the API knows and the descriptions of the objects do not. */
export type AppListName = 'api_versions' | 'scopes';

type Values = () => readonly string[];

const lists = new Map<AppListName, Values>();

/** Sets the values of a closed list. They are read again for each check, so the list may still grow. */
export function defineAppList(name: AppListName, values: Values): void {
  lists.set(name, values);
}

/** Returns the source of a closed list for an attribute. An app that does not define the list accepts every value. */
export const appList = (name: AppListName) => (): readonly string[] | undefined => lists.get(name)?.();
