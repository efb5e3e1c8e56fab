/** A read-only statement. */
export interface ReadStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** The name under which each connection prepares the text once. A name must always belong to the same text. */
  readonly name?: string | undefined;
  /** True when values of the type `text` are returned as a `Buffer` in UTF-8, so that they can be sent as they are. */
  readonly textsAsBytes?: boolean | undefined;
}
