/** The scanner gave no result for a document: it is unavailable, or refuses the document. */
export class ScannerError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(`the virus scanner gave no result for a document: ${text}`, options);
  }
}

/** Finds viruses in documents. Source: docs/reference/documents.md, "Virus scan". */
export abstract class DocumentScanner {
  /**
   * Scans the bytes of a document.
   * @throws {ScannerError} when the scanner gives no result
   * @throws errors of `content`
   */
  abstract scan(content: AsyncIterable<Buffer>): Promise<'clean' | 'infected'>;
}
