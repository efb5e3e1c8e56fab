import { findLayout, type Layout, layoutDatapaths, type ReadSettings, type Resource } from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { readIdParameter } from '../request/id-parameter.js';
import { faultyQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { readRichTextParameter, RICH_TEXT_PARAMETER } from './rich-text-parameter.js';

/** The parameters that decide how an item is shown, alone and on a page. Source: SPEC.md 4.1, CONTRACT.md 4. */
export const VIEW_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'layout',
    description:
      'Id of a layout for this collection: adds `layout_data`, the values of its columns. What they go through needs its own read scope.',
    schema: { type: 'integer', minimum: 1 },
  },
  RICH_TEXT_PARAMETER,
];

const KNOWN = VIEW_PARAMETERS.map(({ name }) => name);

/** Reads the parameters that decide how items are shown. */
@Injectable()
export class ViewParameters {
  constructor(private readonly database: Database) {}

  /** What a request's items are read with: its language, and what the parameters add. What is wrong with them is added to `faults`. */
  async read(
    resource: Resource,
    parameters: URLSearchParams,
    context: RequestContext,
    faults: ProblemDetail[],
  ): Promise<ReadSettings> {
    const refuse = (parameter: string) => (info: Message) =>
      void faults.push({ resource: resource.name, path: '', parameter, code: 'invalid', info });
    const layout = await this.#layout(resource, parameters, refuse('layout'));
    return {
      ...context.settings,
      ...(layout && { layout }),
      ...readRichTextParameter(parameters, context, refuse(RICH_TEXT_PARAMETER.name)),
    };
  }

  /** @throws {Problem} 403 when the items would show what the credential may not read. CONTRACT.md 2. */
  check({ type, leadsTo }: Resource, { layout }: ReadSettings, { actor }: RequestContext): void {
    if (layout) checkDatapathScopes(actor.scopes, type.name, layoutDatapaths(layout), leadsTo);
  }

  /** The same for the query of a single item. @throws {Problem} 400 with the faults of all parameters together; 403 as `check` */
  async ofItem(resource: Resource, parameters: URLSearchParams, context: RequestContext): Promise<ReadSettings> {
    const faults = unknownParameters(resource.name, parameters, KNOWN);
    const settings = await this.read(resource, parameters, context, faults);
    if (faults.length > 0) throw faultyQuery(faults);
    this.check(resource, settings, context);
    return settings;
  }

  async #layout(
    resource: Resource,
    parameters: URLSearchParams,
    refuse: (info: Message) => void,
  ): Promise<Layout | undefined> {
    const given = readIdParameter(parameters, 'layout');
    if (!given) return undefined;
    if (given.fault !== undefined) return void refuse(given.fault);
    const found = await findLayout((text, values) => this.database.query(text, values), resource, given.id);
    if (!found) return void refuse(message`there is no layout ${given.id} for ${resource.name}`);
    if (!found.faults) return found;
    for (const fault of found.faults) refuse(message`the layout ${given.id} cannot be used any more: ${fault}`);
    return undefined;
  }
}
