import { allResources, type AuditedAction, type AuditEntry, type Resource } from '@ats/domain';
import { Database } from '@ats/postgres';
import { Injectable, Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Metrics } from '../metrics/metrics.js';
import { AuditBuffer } from './audit-buffer.js';
import { RefusalCounts } from './refusal-counts.js';

export interface AuditOptions {
  /**
   * True when the audit log is written, which is the default. Benchmarks set it to false to measure the cost of the
   * log.
   */
  readonly isAudited?: boolean;
  /** Time in ms within which equal refusals are one entry of the audit log. Defaults to a minute. */
  readonly refusalWindowMs?: number;
}

/**
 * Number of transactions whose ids `AuditLog` remembers. At two batches a second, these are the transactions of the
 * last eight minutes.
 */
const MAX_TRANSACTIONS = 1_000;

/** The values of a request context that an entry stores. */
interface Client {
  readonly actor: { readonly credentialId: number; readonly recruiterId: number };
  readonly address: string;
  readonly requestId: string;
}

/** A read of items that contain personal data. */
export type PersonalDataRead = Pick<AuditEntry, 'itemIds' | 'itemCount' | 'queryDigest'> & {
  /** Name of the collection. */
  readonly collection: string;
};

/**
 * Records reads of personal data, and refusals. Changes add their entries in their own transactions, see
 * `addAuditEntry`. Source: docs/reference/audit.md.
 */
@Injectable()
export class AuditLog {
  readonly #buffer: AuditBuffer;
  /** The ids of the last transactions of this process that only added audit entries. */
  readonly #transactions = new LRUCache<number, true>({ max: MAX_TRANSACTIONS });
  #refusals: RefusalCounts;
  #isOn = true;

  constructor(database: Database, metrics: Metrics) {
    this.#buffer = new AuditBuffer({
      database,
      log: new Logger('audit'),
      note: metrics.auditEntries,
      noteTransaction: (transaction) => void this.#transactions.set(transaction, true),
    });
    this.#refusals = this.#countRefusals();
    metrics.watchAuditBuffer(this.#buffer);
  }

  guard(fastify: FastifyInstance, { isAudited = true, refusalWindowMs }: AuditOptions): void {
    this.#isOn = isAudited;
    this.#refusals = this.#countRefusals(refusalWindowMs);
    if (isAudited)
      fastify.addHook('onSend', (request, reply, payload, done) => {
        this.#noteItems(request, reply, payload);
        done();
      });
    // Runs when all requests are answered, and before the connections to the database are closed.
    fastify.addHook('onClose', async () => {
      this.#refusals.flush();
      await this.#buffer.close();
    });
  }

  /**
   * True when a transaction of this process has only added audit entries. Only the last `MAX_TRANSACTIONS` such
   * transactions are known.
   */
  hasOnlyAdded(transaction: number): boolean {
    return this.#transactions.has(transaction);
  }

  /** Records that an answer contains items with personal data. */
  personalDataRead(client: Client, read: PersonalDataRead): void {
    if (this.#isOn) this.#buffer.add({ ...entryOf(client), action: 'personal_data_read', ...read });
  }

  /**
   * Records an export.
   * @param read  the exported items, and how many of them the client received, as far as the service knows
   */
  exported(client: Client, read: PersonalDataRead & Pick<AuditEntry, 'outcome'>): void {
    if (this.#isOn) this.#buffer.add({ ...entryOf(client), action: 'exported', ...read });
  }

  /** Records a request without a valid credential. @param network  network of the client, see `networkOf` */
  signInRefused(network: string, requestId: string): void {
    const client = { credentialId: null, recruiterId: null, address: network, requestId };
    this.#refused({ ...client, occurredAt: new Date(), action: 'sign_in_refused' });
  }

  /** Records that a request was refused because its credential has none of the needed scopes. */
  scopeRefused({ context, routeOptions }: FastifyRequest, scopes: readonly string[]): void {
    const collection = collectionAt(routeOptions.url);
    if (context)
      this.#refused({ ...entryOf(context), action: 'scope_refused', scope: scopes.join(' '), ...collection });
  }

  #refused(entry: Omit<AuditEntry, 'outcome'>): void {
    if (this.#isOn) this.#refusals.count({ ...entry, outcome: 'refused' });
  }

  /** Records that an answer shows personal data of the items that the request names or created. */
  #noteItems(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { context, routeOptions, shownProperties } = request;
    const { showsPersonalItemOf: collection } = routeOptions.config;
    if (!collection || !context || shownProperties || reply.statusCode >= 300) return;
    const ids = idsOf(request, reply, payload);
    this.personalDataRead(context, { collection, itemIds: `{${ids.join(',')}}`, itemCount: ids.length });
  }

  #countRefusals(windowMs?: number): RefusalCounts {
    return new RefusalCounts((entry) => this.#buffer.add(entry), windowMs);
  }
}

const entryOf = ({
  actor,
  address,
  requestId,
}: Client): Pick<AuditEntry, 'occurredAt' | 'credentialId' | 'recruiterId' | 'address' | 'requestId'> => ({
  occurredAt: new Date(),
  credentialId: actor.credentialId,
  recruiterId: actor.recruiterId,
  address,
  requestId,
});

/**
 * Returns the ids of the items that an answer shows: the created item, else the item in the path, else the items in the
 * body of a bulk operation, else the item at the beginning of the answer.
 */
function idsOf({ params, body }: FastifyRequest, reply: FastifyReply, payload: unknown): readonly number[] {
  const location = reply.getHeader('location');
  const created = typeof location === 'string' ? /\/(\d+)$/.exec(location)?.[1] : undefined;
  const id = created ?? (params as { readonly id?: string }).id;
  if (id !== undefined) return [Number(id)];
  const { items } = (body ?? {}) as { readonly items?: readonly { readonly id: number }[] };
  if (items) return items.map((item) => item.id);
  const shown = typeof payload === 'string' ? /^\{"id":(\d+)/.exec(payload)?.[1] : undefined;
  return shown === undefined ? [] : [Number(shown)];
}

/** Returns the collection of a route, such as `/api/v1/candidates/:id/history`. */
function collectionAt(route: string | undefined): Pick<AuditedAction, 'collection'> {
  const segment = route?.split('/')[3] ?? '';
  const isAt = ({ name, paths }: Resource): boolean => name === segment || paths.includes(segment);
  const found = allResources().filter(isAt);
  const resource = found.find(({ name }) => name === segment) ?? found[0];
  return resource ? { collection: resource.name } : {};
}
