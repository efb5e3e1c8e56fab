/** ES2024. Node 20 lacks it, and leaves the memory to the garbage collector. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/**
 * Frees the memory of a chunk at once, when the chunk has its memory for itself. The garbage collector counts the bytes
 * of buffers, so the chunks of each 25 MiB would otherwise cost a collection of the whole heap. Nobody may use the chunk
 * afterwards.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
    (buffer as Transferable).transfer?.(0);
}
