import type { Socket } from 'node:net';
import { Parser } from 'pg-protocol/dist/parser.js';
import { MeteredClient } from './metered-client.js';

/** The methods of the driver's connection that read messages from the socket and pass them on. */
interface Receiver {
  attachListeners: (stream: Socket) => void;
  emit: (event: string, message: object) => boolean;
}

/**
 * A connection that returns texts undecoded, as binary strings: each character is one byte of the UTF-8 text. `textOf`
 * decodes such a string, and `bytesOf` returns its bytes. The driver would decode the body of a page, and the API would
 * encode it again. Both together took a quarter of Node's processor time for a page.
 */
export class ByteTextClient extends MeteredClient {
  constructor(...options: ConstructorParameters<typeof MeteredClient>) {
    super(...options);
    const { connection } = this as unknown as { readonly connection: Receiver };
    // The driver has no setting for the encoding. So its method is replaced by a copy with the encoding `latin1`.
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

/** Returns the bytes of a binary string. */
export const bytesOf = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

/** Decodes a binary string from UTF-8. */
export const textOf = (bytes: string): string => (NOT_ASCII.test(bytes) ? bytesOf(bytes).toString() : bytes);

const NOT_ASCII = /[\u0080-\u00ff]/;
