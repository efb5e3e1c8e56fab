import { type ReadSettings, type Resource } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type QueryParameter } from './operation.js';
import { faultyQuery, unknownParameters } from './query.js';
import { type RequestContext } from './request-context.js';

/** The parameters that decide how an item is shown, alone and on a page. Source: SPEC.md 4.1, CONTRACT.md 4. */
export const VIEW_PARAMETERS: readonly QueryParameter[] = [];

const KNOWN = VIEW_PARAMETERS.map(({ name }) => name);

/** Reads the parameters that decide how items are shown. */
@Injectable()
export class ViewParameters {
  /** What a request's items are read with: its language, and what the parameters add. */
  read(_resource: Resource, _parameters: URLSearchParams, { settings }: RequestContext): Promise<ReadSettings> {
    return Promise.resolve(settings);
  }

  /** The same for the query of a single item. @throws {Problem} 400 with the faults of all parameters together */
  async ofItem(resource: Resource, parameters: URLSearchParams, context: RequestContext): Promise<ReadSettings> {
    const faults = unknownParameters(resource.name, parameters, KNOWN);
    const settings = await this.read(resource, parameters, context);
    if (faults.length > 0) throw faultyQuery(faults);
    return settings;
  }
}
