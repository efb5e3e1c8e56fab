import {
  deleteObject,
  insertObject,
  layoutDatapaths,
  layoutFaults,
  layouts,
  readLayoutBody,
  replaceObject,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../http/resource-controller.js';
import { checkDatapathScopes } from '../http/scopes.js';
import { type Work } from '../http/unit-of-work.js';

@Injectable()
export class LayoutsService implements ResourceWrites {
  async create({ transaction, scopes }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, layouts, toStored(body, scopes));
  }

  async replace({ transaction, scopes, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await replaceObject(transaction, layouts, { id, body: toStored(body, scopes) }, settings);
  }

  /** Of its columns, whatever else is wrong with the body. */
  faults(_work: Work, given: WriteBody): Promise<readonly ValidationFault[]> {
    return Promise.resolve(layoutFaults(given));
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, layouts, id);
  }
}

/**
 * @throws {ValidationError} with every fault of the columns
 * @throws {Problem} 403 when a column reads what its writer may not
 */
function toStored(body: WriteBody, scopes: ReadonlySet<string>): WriteBody {
  const read = readLayoutBody(body);
  if (read.faults) throw new ValidationError(layouts.name, read.faults);
  checkDatapathScopes(scopes, read.root, layoutDatapaths(read.layout));
  return read.body;
}
