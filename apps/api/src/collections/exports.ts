import { getResource, type JsonSchema, type ReadSettings, readExport, type Resource } from '@ats/domain';
import { Database, type ReadSnapshot } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { listOf } from '../request/context-builder.js';
import { type RequestContext } from '../request/request-context.js';
import { VERSIONS } from '../versions/versions.js';
import { EXPORT_TYPES, type ExportFormat } from '../vocabulary/export-types.js';
import {
  type CollectionOptions,
  CollectionParameters,
  pagingParametersOf,
  tooComplex,
} from './collection-parameters.js';
import { columnsOf, type CsvColumn, csvHeader, csvRows, layoutColumns } from './csv.js';
import { afterItem, readExportParameters } from './export-parameters.js';
import { type ExportSource, ExportStream } from './export-stream.js';
import { ResourceReader } from './resource-reader.js';
import { StoredQueries } from './stored-queries.js';

type Items = readonly Readonly<Record<string, unknown>>[];

/** Writes the items of an export. */
interface Writer {
  /** The text of the export before its first item, such as the header line of CSV. */
  readonly head: string;
  /** Returns the text of some items of the export. @param items  JSON texts of items */
  readonly write: (items: readonly string[]) => string;
}

/** Answers with all items of a collection in one stream. Source: docs/reference/export.md. */
@Injectable()
export class Exports {
  /** Time in ms after which a stalled export ends. Tests set a shorter time than the default. */
  stalledMs: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly parameters: CollectionParameters,
    private readonly reader: ResourceReader,
    private readonly queries: StoredQueries,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sends an export. An error before the first items becomes an error answer. A later error destroys the connection.
   * @throws {Problem} 400 when parameters are invalid or the query is too complex; 403 when the credential lacks a
   *   scope that a parameter needs
   */
  async send(
    format: ExportFormat,
    resource: Resource,
    { reply, context }: { readonly reply: FastifyReply; readonly context: RequestContext },
    of: CollectionOptions,
  ): Promise<void> {
    const { request } = reply;
    const collection = { resource, pagingParameters: pagingParametersOf(of) };
    const { given, afterId } = readExportParameters(resource, await this.queries.read(request, collection));
    const { settings, selectionId, ...asked } = await this.parameters.read(resource, given, context, {
      ...of,
      isUnordered: true,
    });
    const query = afterItem(resource, asked.query, afterId);
    const titles = given.parameters.get('layout');
    const writer =
      format === 'ndjson'
        ? { head: '', write: (items: readonly string[]) => items.map((item) => `${item}\n`).join('') }
        : csvWriter([
            ...(titles !== null && !settings.fields ? [] : columnsOf(itemSchema(request, context), wantedOf(settings))),
            ...(titles === null ? [] : layoutColumns(await this.#titles(Number(titles), context))),
          ]);
    void reply.headers({
      'content-type': `${EXPORT_TYPES[format]}; charset=utf-8${format === 'csv' ? '; header=present' : ''}`,
      'content-disposition': `attachment; filename="${resource.name}.${format}"`,
    });
    if (request.method === 'HEAD') return void reply.send();
    const snapshot = await this.database.exporting.openSnapshot();
    // Cancels the running statement when the client closes the connection, so that its database connection is free at
    // once.
    reply.raw.once('close', () => snapshot.abort());
    const items = readExport(snapshot, this.reader.statementsOf(resource, settings), {
      query,
      ...(of.ownerId !== undefined && { ownerId: of.ownerId }),
      ...(selectionId !== undefined && { selectionId }),
    });
    const convert = converterOf(request, settings, of);
    const counted = { items: 0, bytes: 0 };
    const parts = (async function* () {
      let { head } = writer;
      for await (const texts of items) {
        const part = Buffer.from(head + writer.write(await convert(texts)));
        head = '';
        counted.items += texts.length;
        counted.bytes += part.length;
        yield part;
      }
      if (head !== '') yield Buffer.from(head);
    })();
    const source = await begun(parts, snapshot).catch((error: unknown) => {
      throw tooComplex(error, resource) ?? error;
    });
    const end = (isComplete: boolean): void => {
      snapshot.abort();
      request.spending?.addBytes(counted.bytes);
      const queryDigest = this.queries.digest(collection, given.parameters);
      const read = { collection: resource.name, itemIds: '{}', itemCount: counted.items, queryDigest };
      this.audit.exported(context, { ...read, outcome: isComplete ? 'done' : 'failed' });
    };
    void reply.send(new ExportStream({ parts: source, end }, this.stalledMs));
  }

  /** Returns the titles of the columns of a layout, in the language of the request. */
  async #titles(id: number, context: RequestContext): Promise<readonly string[]> {
    const item = await this.reader.item(getResource('layouts'), id, context);
    return (JSON.parse(item) as { readonly columns: readonly { readonly title: string | null }[] }).columns.map(
      ({ title }) => title ?? '',
    );
  }
}

/**
 * Waits for the first part of an export, so that an error before this part can become an error answer. The database
 * snapshot is released after the last part.
 */
async function begun(
  parts: AsyncGenerator<Buffer, void, undefined>,
  snapshot: ReadSnapshot,
): Promise<ExportSource['parts']> {
  const next = async (): Promise<IteratorResult<Buffer, void>> => {
    try {
      const part = await parts.next();
      if (part.done) await snapshot.close();
      return part;
    } catch (error) {
      snapshot.abort();
      throw error;
    }
  };
  let first: IteratorResult<Buffer, void> | undefined = await next();
  return {
    next: async () => {
      const part = first ?? (await next());
      first = undefined;
      return part;
    },
  };
}

function csvWriter(columns: readonly CsvColumn[]): Writer {
  return {
    head: csvHeader(columns),
    write: (items) => csvRows(columns, JSON.parse(`[${items.join(',')}]`) as Items),
  };
}

const wantedOf =
  ({ fields }: ReadSettings) =>
  (name: string): boolean =>
    fields?.has(name) ?? true;

/** Returns the schema of an item in the version of the request. */
function itemSchema({ routeOptions }: FastifyRequest, { version }: RequestContext): JsonSchema {
  const { exported } = routeOptions.config;
  if (!exported)
    throw new Error(`the route ${routeOptions.url} exports items, but its OpenAPI operation describes none`);
  const { takesQueryInBody } = routeOptions.config;
  const path = routeOptions.url ?? '';
  const endpoint = takesQueryInBody ? listOf(path) : { method: 'GET', path };
  return VERSIONS.operationAt(version, endpoint, exported).answer.schema?.schema ?? {};
}

/**
 * Returns a function that adds the further properties of the collection to items, and then converts the items to the
 * version of the request.
 */
function converterOf(
  { adaptation }: FastifyRequest,
  settings: ReadSettings,
  { further }: CollectionOptions,
): (items: readonly string[]) => Promise<readonly string[]> {
  const { fields } = settings;
  const isAdded = further && (!fields || further.names.some((name) => fields.has(name)));
  return async (items) => {
    const whole = isAdded ? textsOf(await further.add(Buffer.from(`[${items.join(',')}]`))) : items;
    const adapted = adaptation?.answerBody;
    const converted = adapted ? whole.map((item) => adapted(`[${item}]`, settings).trim().slice(1, -1)) : whole;
    // Removes the line breaks between JSON tokens. A JSON text has no line breaks inside strings, so no value changes.
    return converted.map((item) => item.replaceAll('\n', ' '));
  };
}

const textsOf = (page: Buffer): readonly string[] =>
  (JSON.parse(page.toString()) as Items).map((item) => JSON.stringify(item));
