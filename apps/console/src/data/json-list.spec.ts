import { expect, it } from '@jest/globals';
import { toJsonList } from './json-list.js';

const ITEMS = [{ id: 1, name: 'Zoë\n"x"' }, { id: 2, tags: [] }, { id: 3 }];

it.each([1, 2, 3, 7, 1_000])('NDJSON in parts of %d bytes becomes a JSON array', async (size) => {
  for (const items of [ITEMS, ITEMS.slice(0, 1), []]) {
    const bytes = new TextEncoder().encode(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    );
    const lines = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    expect(JSON.parse(await new Response(lines.pipeThrough(toJsonList())).text())).toEqual(items);
  }
});
