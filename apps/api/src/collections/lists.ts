import { type Resource } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendPage } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';
import { type CollectionOptions } from './collection-parameters.js';
import { formatOf } from './export-format.js';
import { Exports } from './exports.js';
import { ResourceReader } from './resource-reader.js';

/** Answers the lists of all collections: with a page, or with an export. */
@Injectable()
export class Lists {
  constructor(
    private readonly reader: ResourceReader,
    private readonly exports: Exports,
  ) {}

  /** Sends a page or an export. @throws {Problem} as `ResourceReader.page` and `Exports.send` do */
  async send(
    resource: Resource,
    reply: FastifyReply,
    context: RequestContext,
    of: CollectionOptions = {},
  ): Promise<void> {
    const format = formatOf(resource.name, reply.request);
    if (format === 'json') sendPage(reply, await this.reader.page(resource, reply, context, of));
    else await this.exports.send(format, resource, { reply, context }, of);
  }
}
