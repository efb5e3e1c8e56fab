import type { Socket } from 'node:net';
import { Parser } from 'pg-protocol/dist/parser.js';
import { MeteredClient } from './metered-client.js';

/** The parts of the driver's connection that receive and pass on its messages. */
interface Receiver {
  attachListeners: (stream: Socket) => void;
  emit: (event: string, message: object) => boolean;
}

/**
 * A connection whose texts are strings of bytes: each character of a value is one byte of its UTF-8 form. Such a string
 * is decoded with `textOf`, or becomes the body of an answer with `bytesOf`. The driver itself would decode every text,
 * and the body of a page would then be encoded again, which takes a quarter of the time for a page.
 */
export class ByteTextClient extends MeteredClient {
  constructor(...options: ConstructorParameters<typeof MeteredClient>) {
    super(...options);
    const { connection } = this as unknown as { readonly connection: Receiver };
    // The driver has no setting for the encoding, so this function does what its own `attachListeners` does.
    connection.attachListeners = (stream) => {
      const parser = new Parser();
      (parser as unknown as { readonly reader: { encoding: BufferEncoding } }).reader.encoding = 'latin1';
      stream.on('data', (chunk) =>
        parser.parse(chunk, (message) => {
          const isError = message.name === 'error';
          connection.emit(isError ? 'errorMessage' : message.name, isError ? decoded(message) : message);
        }),
      );
    };
  }
}

/** Decodes the texts of an error. */
function decoded(error: object): object {
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(error)))
    if (typeof value.value === 'string') Object.defineProperty(error, name, { ...value, value: textOf(value.value) });
  return error;
}

/** Returns the bytes of a string of bytes. */
export const bytesOf = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

/** Decodes a string of bytes. */
export const textOf = (bytes: string): string => (NOT_ASCII.test(bytes) ? bytesOf(bytes).toString() : bytes);

const NOT_ASCII = /[\u0080-\u00ff]/;
