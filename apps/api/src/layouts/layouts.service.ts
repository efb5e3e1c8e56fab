import {
  deleteObject,
  findResource,
  insertObject,
  layoutDatapaths,
  layoutViolations,
  layouts,
  readLayoutBody,
  replaceObject,
  runIn,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { checkTextScopes } from '../collections/change-item.js';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class LayoutsService implements ResourceWrites {
  readonly texts = ['resource', 'columns'];

  async create(work: Work, body: WriteBody): Promise<number> {
    return insertObject(work.transaction, layouts, await toStored(work, body));
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    const stored = await toStored(work, body);
    return (await replaceObject(work.transaction, layouts, { id, body: stored }, work.settings)).text;
  }

  /** Returns the violations of the columns in a body. Does not check the rest of the body. */
  violations(work: Work, given: WriteBody): Promise<readonly Violation[]> {
    return layoutViolations(runIn(work.transaction), given);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, layouts, id);
  }
}

/**
 * Checks the columns and returns the body as it is stored.
 * @throws {ValidationError} with all violations of the columns
 * @throws {Problem} 403 when a column reads a resource that the credential may not read
 */
async function toStored(work: Work, body: WriteBody): Promise<WriteBody> {
  const read = await readLayoutBody(runIn(work.transaction), body);
  if (read.violations) throw new ValidationError(layouts.name, read.violations);
  checkTextScopes(work, read.root, layoutDatapaths(read.layout), findResource(String(body['resource']))?.leadsTo);
  return read.body;
}
