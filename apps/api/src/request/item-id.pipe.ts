import { message } from '@ats/message';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { Problem } from '../vocabulary/problem.js';

const ID = /^[1-9]\d{0,15}$/;

/** Parses the id in a path. A text that is no id causes a 404, not a 400. */
@Injectable()
export class ItemId implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = ID.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(id)) return id;
    throw new Problem(404, message`An item with the id ${JSON.stringify(text)} was not found`);
  }
}
