import {
  deleteObject,
  insertObject,
  messageTemplates,
  type MessageTexts,
  readTemplate,
  replaceObject,
  runIn,
  templateDatapaths,
  templateViolations,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { checkTextScopes } from '../collections/change-item.js';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class MessageTemplatesService implements ResourceWrites {
  readonly texts = ['subject', 'body'];

  async create(work: Work, body: WriteBody): Promise<number> {
    await check(work, body);
    return insertObject(work.transaction, messageTemplates, body);
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    await check(work, body);
    return (await replaceObject(work.transaction, messageTemplates, { id, body }, work.settings)).text;
  }

  /** Returns the violations of the placeholders in a body. Does not check the rest of the body. */
  violations(work: Work, given: WriteBody): Promise<readonly Violation[]> {
    return templateViolations(runIn(work.transaction), given);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, messageTemplates, id);
  }
}

/**
 * Checks the placeholders in a body, and the scopes that their datapaths need.
 * @throws {ValidationError} with all violations of the placeholders
 * @throws {Problem} 403 when a placeholder reads a resource that the credential may not read
 */
async function check(work: Work, body: WriteBody): Promise<void> {
  const read = await readTemplate(runIn(work.transaction), body as unknown as MessageTexts);
  if ('violations' in read) throw new ValidationError(messageTemplates.name, read.violations);
  checkTextScopes(work, 'application', templateDatapaths(read));
}
