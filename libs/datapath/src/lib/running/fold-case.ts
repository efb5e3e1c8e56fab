/** Case is folded letter by letter, independent of any language. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
