import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The settings that a page passes to the elements. */
export interface EmbeddingSettings {
  readonly address: string;
  readonly token: string;
  readonly endpoint: number;
}

/** The page that a bundle fills. `lang` decides about the language of the elements. */
const page = (settings: object, language: string): string => `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>A page of another product</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <script type="application/json" id="settings">${JSON.stringify(settings)}</script>
    <script type="module" src="/page.js"></script>
  </head>
  <body>
    <header><h1>Another product</h1></header>
    <main></main>
    <footer><output></output></footer>
  </body>
</html>
`;

/** CSS rules that would break the elements if they applied inside them, and a colour that the elements must use. */
const STYLES = `
  table, select, button, pre { display: none; color: yellow; background: yellow; }
  html { --ats-accent: rgb(128, 0, 64); }
  output { white-space: pre-wrap; }
`;

/** A web server of another product, whose page embeds the elements. Its origin differs from that of the service. */
export class EmbeddingPage {
  #bundle = new Map<string, Uint8Array>();
  #settings: object = {};
  #language = 'en';
  #policy = '';

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<EmbeddingPage> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const result = new EmbeddingPage(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '' }, response) => {
      const name = url.slice(1);
      if (name === '')
        return response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': result.#policy })
          .end(page(result.#settings, result.#language));
      if (name === 'page.css') return response.writeHead(200, { 'content-type': 'text/css' }).end(STYLES);
      const file = result.#bundle.get(name);
      return response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file);
    });
    return result;
  }

  /**
   * Bundles one of the pages in the folder `embedded` with esbuild, as another product does.
   * @param settings what the page tells the elements
   */
  async show(name: string, settings: EmbeddingSettings, language = 'en'): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: { page: join(__dirname, `../embedded/${name}.js`) },
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2023',
      outdir: '/',
      write: false,
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    });
    this.#bundle = new Map(outputFiles.map(({ path, contents }) => [path.slice(1), contents]));
    this.#settings = settings;
    this.#language = language;
    this.#policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src ${settings.address}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
