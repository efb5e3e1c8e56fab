import { type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Who is connected, and what was asked on each connection and is not answered. Node closes idle connections by itself when a server
 * closes; to it one that has sent nothing, half of its headers or half of a body is busy, for as long as its client likes.
 */
export class Connections {
  readonly #unanswered = new Map<Socket, Set<IncomingMessage>>();

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#unanswered.set(socket, new Set());
      socket.once('close', () => this.#unanswered.delete(socket));
    });
    server.on('request', (request, response) => {
      const requests = this.#unanswered.get(request.socket);
      requests?.add(request);
      response.once('close', () => requests?.delete(request));
    });
  }

  /** Closes those on which nothing was ever sent: balancers and browsers open some ahead. */
  closeSilent(): void {
    this.#close(({ bytesRead }) => bytesRead === 0);
  }

  /** Closes those on which no request is waited for that was sent whole. */
  closeUnfinished(): void {
    this.#close((_socket, unanswered) => ![...unanswered].some(({ complete }) => complete));
  }

  /** @returns how many requests it has broken off */
  closeAll(): number {
    const requests = [...this.#unanswered.values()].reduce((sum, { size }) => sum + size, 0);
    this.#close(() => true);
    return requests;
  }

  #close(isMeant: (socket: Socket, unanswered: ReadonlySet<IncomingMessage>) => boolean): void {
    for (const [socket, unanswered] of this.#unanswered) if (isMeant(socket, unanswered)) socket.destroy();
  }
}
