import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { matchesTag, weakTag } from './answer.js';
import { compressOnce } from './compression.js';
import { VARY } from './vary.js';

/**
 * Maximum size in bytes of the files that a process keeps in memory, each with a compressed copy for each content
 * coding.
 */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const A_YEAR = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, no-cache';

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

interface SiteFile {
  readonly body: Buffer;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A site of static files: its folder, its path and its headers. */
export interface StaticSiteOptions {
  readonly folder: string;
  /** The path of the site, such as `/docs`. The links in the files begin with this path. */
  readonly prefix: string;
  /** The path of `PUBLIC_BASE_URL` without a slash at its end. It is put before the links in the files. */
  readonly basePath: string;
  /** Matches files whose names change with their content. */
  readonly hashed: RegExp;
  /** Returns the Content-Security-Policy of a page. */
  readonly policy: (html: string) => string;
  /** Returns the answer for a path that has no file. Undefined when the site has no such answer. */
  readonly unknown: (path: string) => { readonly status: number; readonly name: string } | undefined;
  /** The answer when the folder has no files. */
  readonly notBuilt: string;
}

/** The files of a site. */
class StaticSite {
  readonly #kept = new LRUCache<string, SiteFile>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length + 1,
  });
  #names: ReadonlySet<string> | undefined;

  constructor(private readonly options: StaticSiteOptions) {}

  /**
   * Returns the file at a path below the prefix, or the answer to unknown paths. Undefined when the site has neither.
   */
  async find(path: string): Promise<{ readonly status: number; readonly file: SiteFile } | undefined> {
    const names = this.#all();
    const candidates = [path, join(path, 'index.html')];
    const name = candidates.find((candidate) => names.has(candidate));
    if (name !== undefined) return { status: 200, file: await this.#read(name) };
    const unknown = this.options.unknown(path);
    return unknown && names.has(unknown.name)
      ? { status: unknown.status, file: await this.#read(unknown.name) }
      : undefined;
  }

  get isBuilt(): boolean {
    return this.#all().size > 0;
  }

  /** Returns the names of all files. A request can reach only files in this set, and no file outside the folder. */
  #all(): ReadonlySet<string> {
    if (this.#names) return this.#names;
    const { folder } = this.options;
    // Does not remember that the folder is missing, because the site may be built while the process runs.
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
    const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
    const file = {
      body: compressOnce(body),
      tag,
      headers: {
        'content-type': type,
        etag: weakTag(tag),
        vary: VARY,
        'cache-control': this.options.hashed.test(name) ? A_YEAR : REVALIDATE,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        ...(type.startsWith('text/html') && { 'content-security-policy': this.options.policy(body.toString()) }),
      },
    };
    this.#kept.set(name, file);
    return file;
  }

  /** Puts a prefix before the URLs in a text. A URL is the path of the site after a quote. */
  #withBasePath(text: string): string {
    const { basePath, prefix } = this.options;
    return basePath === ''
      ? text
      : text.replaceAll(new RegExp(`(["'\`])${prefix}(?=[/"'\`])`, 'g'), `$1${basePath}${prefix}`);
  }
}

/**
 * Serves a static site. Its files are not in the OpenAPI document, because they are no operations. The query is
 * ignored, as on other servers of static files.
 */
export function serveStaticSite(fastify: FastifyInstance, options: StaticSiteOptions): void {
  const site = new StaticSite(options);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': path = '' } = request.params as { readonly '*'?: string };
    const found = await site.find(path);
    if (!found) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
      return site.isBuilt
        ? reply.status(404).headers(headers).send('There is no such file.\n')
        : reply.status(503).headers(headers).send(options.notBuilt);
    }
    const { status, file } = found;
    void reply.status(status).headers(file.headers);
    const known = request.headers['if-none-match'];
    if (status === 200 && known !== undefined && matchesTag(known, file.tag)) return reply.status(304).send();
    return reply.send(file.body);
  };
  fastify.get(options.prefix, answer);
  fastify.get(`${options.prefix}/*`, answer);
}
