import { type JsonSchema, type Resource } from '@ats/domain';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type z } from 'zod';
import { type CompatibilityFlag } from './compatibility-flag.js';

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** Without it there is nothing to answer. */
  readonly required?: true;
}

/** What the reference says of one route; its path, verb, scope and common errors come from the route itself. */
export interface OperationDescription {
  /** One line, as a heading. */
  readonly summary: string;
  readonly description?: string;
  /** Heading in the reference, see `openapi/tags.ts`. */
  readonly tag: string;
  readonly body?: BodyDescription;
  readonly query?: readonly QueryParameter[];
  /** Other parameters are passed over, as on a page whose links programs add some of their own to. */
  readonly takesAnyQuery?: true;
  /** Parameters of the path that are no ids. */
  readonly path?: Readonly<Record<string, Omit<QueryParameter, 'name'>>>;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    /** Absent for an answer without a body. */
    readonly schema?: { readonly name: string; readonly schema: JsonSchema; readonly isList?: boolean };
    /** The type of an answer that is text and not JSON. */
    readonly text?: string;
    /** Headers beside those of every answer. */
    readonly headers?: readonly ('Content-Language' | 'ETag' | 'Link' | 'Location' | 'X-Total-Count')[];
  };
  /** Codes of validation faults beyond the common ones, each with what it means. */
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** Its own way of saying that it is not available, where that is no error of the common form. */
  readonly unavailable?: {
    readonly description: string;
    readonly schema: { readonly name: string; readonly schema: JsonSchema };
  };
  /** The compatibility flag that it depends on: where that is not in force, there is no such operation. */
  readonly compatibilityFlag?: CompatibilityFlag;
}

/** The body that a client sends. */
export interface BodyDescription {
  /** Of its schema. */
  readonly name: string;
  /** What checks it. */
  readonly schema: z.ZodType;
  /** A body that it accepts. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** It may be left out. */
  readonly isOptional?: boolean;
  /** What it is written in; `application/json` unless told. Each property is a part of `multipart/form-data`, and JSON. */
  readonly mediaType?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
}

export const OPERATION = 'ats:operation';

/** Describes a route for the reference, and tells the server what it is asked in and when it is there; a route without it fails the tests. */
export const Operation = (description: OperationDescription): MethodDecorator => {
  const { body, compatibilityFlag } = description;
  return applyDecorators(
    SetMetadata(OPERATION, description),
    RouteConfig({
      ...(body?.mediaType && { bodyType: body.mediaType }),
      ...(compatibilityFlag && { compatibilityFlag }),
    }),
  );
};

/** One item of a resource in a summary: `an application`. */
export function oneOf({ type }: Resource): string {
  const name = type.name.replaceAll('_', ' ');
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Some of a resource's own codes, those that it has, each with what it means. */
export const codesOf = ({ type }: Resource, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(type.errorCodes).filter(([code]) => names.includes(code)));
