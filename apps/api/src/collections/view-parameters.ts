import {
  findLayout,
  type Layout,
  layoutDatapaths,
  type ReadSettings,
  type Resource,
  type ViolationCode,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { FIELDS_PARAMETER, readFields } from './fields-parameter.js';
import { readIdParameter } from '../request/id-parameter.js';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { readRichTextParameter, RICH_TEXT_PARAMETER } from './rich-text-parameter.js';

/**
 * The parameters for the representation of a single item and of the items on a page.
 * Source: docs/reference/layouts.md and docs/reference/rich-text.md.
 */
export const VIEW_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'layout',
    description:
      'Id of a layout for this collection. Adds `layout_data`, the values of its columns, to each item. ' +
      'The credential needs the read scopes of the datapaths in the columns.',
    schema: { type: 'integer', minimum: 1 },
  },
  RICH_TEXT_PARAMETER,
  FIELDS_PARAMETER,
];

const KNOWN = VIEW_PARAMETERS.map(({ name }) => name);

/** Reads the parameters for the representation of items. */
@Injectable()
export class ViewParameters {
  constructor(private readonly database: Database) {}

  /**
   * Reads the settings of the representation from the request context and the parameters.
   * @param violations  receives the violations of the parameters
   * @param further     names of properties that the answer adds to the properties of the representation
   */
  async read(
    resource: Resource,
    parameters: URLSearchParams,
    context: RequestContext,
    violations: ProblemDetail[],
    further: readonly string[] = [],
  ): Promise<ReadSettings> {
    const refuse =
      (parameter: string) =>
      (info: Message, code: ViolationCode = 'invalid') =>
        void violations.push({ resource: resource.name, path: '', parameter, code, info });
    const layout = await this.#layout(resource, parameters, refuse('layout'));
    const fields = readFields(resource, parameters, refuse(FIELDS_PARAMETER.name), further);
    return {
      ...context.settings,
      ...(fields && { fields }),
      ...(layout && { layout }),
      ...readRichTextParameter(parameters, context, refuse(RICH_TEXT_PARAMETER.name)),
    };
  }

  /** Checks the scopes of a layout. @throws {Problem} 403 when the credential lacks a scope that the layout needs */
  check({ type, leadsTo }: Resource, { layout }: ReadSettings, { actor }: RequestContext): void {
    if (layout) checkDatapathScopes(actor.scopes, type.name, layoutDatapaths(layout), leadsTo);
  }

  /**
   * Reads the query of a single item.
   * @throws {Problem} 400 with the violations of all parameters; 403 when the credential lacks a scope that the layout
   *   needs
   */
  async ofItem(
    resource: Resource,
    parameters: URLSearchParams,
    context: RequestContext,
    further: readonly string[] = [],
  ): Promise<ReadSettings> {
    const violations = unknownParameters(resource.name, parameters, KNOWN);
    const settings = await this.read(resource, parameters, context, violations, further);
    if (violations.length > 0) throw invalidQuery(violations);
    this.check(resource, settings, context);
    return settings;
  }

  async #layout(
    resource: Resource,
    parameters: URLSearchParams,
    refuse: (info: Message, code?: ViolationCode) => void,
  ): Promise<Layout | undefined> {
    const given = readIdParameter(parameters, 'layout');
    if (!given) return undefined;
    if (given.violation !== undefined) return void refuse(given.violation);
    const found = await findLayout((text, values) => this.database.query(text, values), resource, given.id);
    if (!found) return void refuse(message`there is no layout ${given.id} for ${resource.name}`);
    if (!found.violations) return found;
    for (const violation of found.violations)
      refuse(message`the layout ${given.id} cannot be used any more: ${violation}`, found.code);
    return undefined;
  }
}
