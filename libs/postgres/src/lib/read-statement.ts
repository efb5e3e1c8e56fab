/** A read-only statement. */
export interface ReadStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** The name under which each connection prepares the text once. A name must always belong to the same text. */
  readonly name?: string | undefined;
  /** True returns each value of the type `text` as a `Buffer` with UTF-8, which can be sent without encoding it. */
  readonly textsAsBytes?: boolean | undefined;
}
