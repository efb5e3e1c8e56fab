import {
  deleteObject,
  insertObject,
  messageTemplates,
  type MessageTexts,
  readTemplate,
  replaceObject,
  runIn,
  templateDatapaths,
  templateFaults,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-controller.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

@Injectable()
export class MessageTemplatesService implements ResourceWrites {
  async create(work: Work, body: WriteBody): Promise<number> {
    await check(work, body);
    return insertObject(work.transaction, messageTemplates, body);
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    await check(work, body);
    await replaceObject(work.transaction, messageTemplates, { id, body }, work.settings);
  }

  /** Of its placeholders, whatever else is wrong with the body. */
  faults(work: Work, given: WriteBody): Promise<readonly ValidationFault[]> {
    return templateFaults(runIn(work.transaction), given);
  }

  /** What was made from it stays. */
  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, messageTemplates, id);
  }
}

/**
 * @throws {ValidationError} with every fault of the placeholders
 * @throws {Problem} 403 when a placeholder reads what the template's writer may not
 */
async function check(work: Work, body: WriteBody): Promise<void> {
  const read = await readTemplate(runIn(work.transaction), body as unknown as MessageTexts);
  if ('faults' in read) throw new ValidationError(messageTemplates.name, read.faults);
  checkDatapathScopes(work.scopes, 'application', templateDatapaths(read));
}
