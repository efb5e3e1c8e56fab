export interface ReadEvent<Data> {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Data | undefined;
}

/** An open stream of server-sent events. Its parts are read as a browser reads them. */
export class EventReader<Data> {
  #text = '';

  private constructor(
    readonly status: number,
    readonly contentType: string | null,
    private readonly reader: ReadableStreamDefaultReader<string> | undefined,
    private readonly controller: AbortController,
  ) {}

  static async open<Data>(
    url: string,
    { token, headers = {} }: { readonly token: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<EventReader<Data>> {
    const controller = new AbortController();
    const {
      status,
      headers: answered,
      body,
    } = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      signal: controller.signal,
    });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    return new EventReader<Data>(status, answered.get('content-type'), reader, controller);
  }

  /** Returns the next event or comment, or undefined at the end of the stream. */
  async next(): Promise<ReadEvent<Data> | undefined> {
    while (!this.#text.includes('\n\n')) {
      const read = await this.reader?.read();
      if (!read || read.done) return undefined;
      this.#text += read.value;
    }
    const end = this.#text.indexOf('\n\n');
    const lines = this.#text.slice(0, end).split('\n');
    this.#text = this.#text.slice(end + 2);
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = field('data');
    return {
      id: field('id'),
      event: field('event'),
      data: data === undefined ? undefined : (JSON.parse(data) as Data),
    };
  }

  /** Returns the next event that has data, or undefined at the end of the stream. */
  async withData(): Promise<ReadEvent<Data> | undefined> {
    for (;;) {
      const event = await this.next();
      if (!event || event.data) return event;
    }
  }

  close(): void {
    this.controller.abort();
  }
}
