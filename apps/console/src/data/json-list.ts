/**
 * Makes a stream that converts NDJSON to a JSON array. It splits the text at line breaks and parses nothing, because no
 * JSON value in NDJSON contains a line break. A line may arrive in several parts.
 */
export function toJsonList(): ReadableWritablePair<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let before = '[\n';
  let isLineOpen = false;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      let text = '';
      for (const part of decoder.decode(chunk, { stream: true }).split(/(\n)/)) {
        if (part === '') continue;
        if (part === '\n') {
          isLineOpen = false;
          continue;
        }
        if (!isLineOpen) {
          text += before;
          before = ',\n';
        }
        isLineOpen = true;
        text += part;
      }
      controller.enqueue(encoder.encode(text));
    },
    flush: (controller) => controller.enqueue(encoder.encode(before === '[\n' ? '[]\n' : '\n]\n')),
  });
}
