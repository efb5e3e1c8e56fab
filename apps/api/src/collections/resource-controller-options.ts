import { type WriteBody } from '@ats/domain';
import { type z } from 'zod';
import { type BodyDescription, type QueryParameter } from '../vocabulary/operation.js';
import { type WriteVerb } from './resource-writes.js';

/** The parts of a resource's controller that do not follow from the description of the resource. */
export interface ResourceControllerOptions {
  /** The verbs of the resource, each of which is a route. With `replace`, items also have PATCH. */
  readonly verbs: readonly WriteVerb[];
  /** The schema of bodies. By default, it is derived from the description of the object type. */
  readonly schema?: z.ZodType<WriteBody>;
  /** The body of POST. Absent when POST and PUT have the same body. */
  readonly createBody?: Pick<BodyDescription, 'valueScopes'> & { readonly schema: z.ZodType<WriteBody> };
  /** Alternatives: maps the name of a property to the name of another property that bodies may have instead. */
  readonly alternatives?: Readonly<Record<string, string>>;
  /** True when `DELETE` has a dry run. The write rules then have the method `removal`. */
  readonly dryRun?: true;
  /** Parameters of `DELETE` that are `true` or absent. */
  readonly removeFlags?: readonly QueryParameter[];
  /** Maps a verb to the reason of its 409 answers, for the reference. */
  readonly conflicts?: Partial<Readonly<Record<WriteVerb, string>>>;
  /** Maps a verb to its description in the reference. */
  readonly notes?: Partial<Readonly<Record<WriteVerb, string>>>;
  /** An example body for the reference. Defaults to the example of the resource's description. */
  readonly example?: WriteBody;
  /**
   * Error codes of create and replace, for the reference. Defaults to the error codes of the type, without the codes of
   * delete, state moves and form values.
   */
  readonly errorCodes?: readonly string[];
}
