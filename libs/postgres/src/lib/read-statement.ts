/** A read-only statement. */
export interface ReadStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Name under which each connection prepares the text once. The same name must always mean the same text. */
  readonly name?: string | undefined;
}
