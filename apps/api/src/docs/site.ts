import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { matchesTag } from '../request/answer.js';
import { compressOnce } from '../request/compression.js';
import { contentSecurityPolicy } from './policy.js';

/** The folder into which `apps/docs` builds the site. The path works from `src` and from `dist`. */
export const SITE_FOLDER = fileURLToPath(new URL('../../../docs/dist/site', import.meta.url));

/** The path of the site, which is also written in its files. */
const PREFIX = '/docs';
/** Files that are kept in memory. Each process keeps them, with a compressed copy for each coding. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const A_YEAR = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, no-cache';
/** Files whose names change with their content. */
const HASHED = /^(?:_astro|pagefind\/(?:fragment|index))\//;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
};
const OTHER_TYPE = 'application/octet-stream';
const IS_TEXT = /^text\//;

const NOT_BUILT = `The documentation site is not built.

In a clone of the repository, run: npm run build
The API works without it, and /openapi.json has the reference for programs.
`;

interface SiteFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface SiteOptions {
  readonly folder: string;
  /** The path of `PUBLIC_BASE_URL`, without a slash at its end. Links in the files get it as a prefix. */
  readonly basePath: string;
}

/** The files of the documentation site. Source: docs/adr/0033-documentation-site.md. */
export class Site {
  readonly #kept = new LRUCache<string, SiteFile>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length + 1,
  });
  #names: ReadonlySet<string> | undefined;

  constructor(private readonly options: SiteOptions) {}

  /** @returns the file at a path below `/docs`, the site's page for unknown paths, or undefined without a site */
  async find(path: string): Promise<{ readonly status: number; readonly file: SiteFile } | undefined> {
    const names = this.#all();
    const candidates = [path, join(path, 'index.html')];
    const name = candidates.find((candidate) => names.has(candidate));
    if (name !== undefined) return { status: 200, file: await this.#read(name) };
    return names.has('404.html') ? { status: 404, file: await this.#read('404.html') } : undefined;
  }

  /** Names of all files. Paths of requests are looked up here, so a request reaches no file outside the folder. */
  #all(): ReadonlySet<string> {
    if (this.#names) return this.#names;
    const { folder } = this.options;
    // A missing folder is not remembered: the site may be built while the process runs.
    if (!existsSync(folder)) return new Set();
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    this.#names = new Set(entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)));
    return this.#names;
  }

  async #read(name: string): Promise<SiteFile> {
    const kept = this.#kept.get(name);
    if (kept) return kept;
    const type = TYPES[extname(name)] ?? OTHER_TYPE;
    const bytes = await readFile(join(this.options.folder, name));
    const body = IS_TEXT.test(type) ? Buffer.from(this.#withBasePath(bytes.toString())) : bytes;
    const file = {
      body: compressOnce(body),
      headers: {
        'content-type': type,
        etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
        'cache-control': HASHED.test(name) ? A_YEAR : REVALIDATE,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        ...(type.startsWith('text/html') && { 'content-security-policy': contentSecurityPolicy(body.toString()) }),
      },
    };
    this.#kept.set(name, file);
    return file;
  }

  /** Prefixes the URLs in a text, which begin with `/docs` after a quote. */
  #withBasePath(text: string): string {
    const { basePath } = this.options;
    return basePath === '' ? text : text.replaceAll(/(["'`])\/docs(?=[/"'`])/g, `$1${basePath}${PREFIX}`);
  }
}

/**
 * Serves the documentation site. Its files are pages and no operations, so they are not in the OpenAPI document. The
 * query is ignored, as other servers of static files do.
 */
export function serveSite(fastify: FastifyInstance, options: SiteOptions): void {
  const site = new Site(options);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': path = '' } = request.params as { readonly '*'?: string };
    const found = await site.find(path);
    if (!found) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
      return reply.status(503).headers(headers).send(NOT_BUILT);
    }
    const { status, file } = found;
    void reply.status(status).headers(file.headers);
    const known = request.headers['if-none-match'];
    if (status === 200 && known !== undefined && matchesTag(known, file.headers['etag'] ?? ''))
      return reply.status(304).send();
    return reply.send(file.body);
  };
  fastify.get(PREFIX, answer);
  fastify.get(`${PREFIX}/*`, answer);
}
