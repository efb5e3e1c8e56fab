/** A method of ES2024. Node 20 lacks it, so the garbage collector frees the memory there. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/**
 * Frees the memory of a chunk at once, if no other buffer uses this memory. Otherwise the garbage collector, which
 * counts the bytes of buffers, would collect the whole heap after every 25 MiB of chunks. Nobody may use the chunk
 * afterwards.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
    (buffer as Transferable).transfer?.(0);
}
