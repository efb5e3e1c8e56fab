import { type JsonSchema } from '@ats/domain';
import { SetMetadata } from '@nestjs/common';
import { type z } from 'zod';

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What the reference says of one route; its path, verb, scope and common errors come from the route itself. */
export interface OperationDescription {
  /** One line, as a heading. */
  readonly summary: string;
  readonly description?: string;
  /** Heading of the group in the reference; the collection's name unless told. */
  readonly tag: string;
  /** The body a client sends: a name for its schema, and the schema that checks it. */
  readonly body?: { readonly name: string; readonly schema: z.ZodType };
  readonly query?: readonly QueryParameter[];
  readonly answer: {
    readonly status: number;
    readonly description: string;
    /** Absent for an answer without a body. */
    readonly schema?: { readonly name: string; readonly schema: JsonSchema; readonly isList?: boolean };
    /** Headers beside those of every answer. */
    readonly headers?: readonly ('ETag' | 'Link' | 'Location' | 'X-Total-Count')[];
  };
  /** Codes of validation faults beyond the common ones. */
  readonly errorCodes?: readonly string[];
}

export const OPERATION = 'ats:operation';

/** Describes a route for the reference; a route without it fails the tests. */
export const Operation = (description: OperationDescription): MethodDecorator => SetMetadata(OPERATION, description);
