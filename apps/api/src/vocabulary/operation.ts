import { type ErrorCodes, findResource, type JsonSchema, type Resource, showsPersonalData } from '@ats/domain';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyContextConfig } from 'fastify';
import { type z } from 'zod';
import { type CompatibilityFlag } from './compatibility-flag.js';
import { type Scope } from './scopes.js';
import { EXPORT_TYPES, JSON_TYPE } from './export-types.js';
import { type MERGE_PATCH } from './merge-patch.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the resource whose item is the answer. Present only when its items show personal data. */
    readonly showsPersonalItemOf?: string;
    /** The description of the list. Present only when clients can export it. */
    readonly exported?: OperationDescription;
  }
}

/**
 * Returns the schema of an object that has only these properties. All of them except the `optional` ones are required.
 */
export const strictObject = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** True for a required parameter. By default, parameters are optional. */
  readonly required?: true;
  /** Example value. The samples in the reference send every required parameter and every parameter with an example. */
  readonly example?: string;
  /** True for a parameter that chooses a page. A stored query never contains it. */
  readonly isPaging?: true;
}

/** Description of one route for the reference. Path, method, scope and common errors come from the route itself. */
export interface OperationDescription {
  /** The heading in the reference, one line. */
  readonly summary: string;
  readonly description?: string;
  /** Group in the reference, see `openapi/tags.ts`. */
  readonly tag: string;
  /** The action in the operation id. Needed when the action that `openapi/operation-id.ts` derives would be unclear. */
  readonly action?: string;
  readonly body?: BodyDescription;
  readonly query?: readonly QueryParameter[];
  /**
   * True for a POST that reads. It takes the parameters of `query` as properties of its body, and answers like the GET
   * of the path without its last part.
   */
  readonly takesQueryInBody?: true;
  /** True when the route ignores unknown query parameters, because other programs add parameters to links to pages. */
  readonly takesAnyQuery?: true;
  /** Maps the name of a path parameter that is no id to the description of the parameter. */
  readonly path?: Readonly<Record<string, Omit<QueryParameter, 'name'>>>;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    /**
     * Name of the resource whose items the answer is about: the item in the path, or the items in the body. Defaults to
     * the resource that has the name of the schema, if the answer is one item.
     */
    readonly itemOf?: string;
    /** The schema of the answer. Absent for an answer without a body. */
    readonly schema?: { readonly name: string; readonly schema: JsonSchema; readonly isList?: boolean };
    /** True for a list that clients can also read in the media types of exports. */
    readonly isExported?: boolean;
    /** Media type of an answer that is text. With `schema`, the client chooses between JSON and text. */
    readonly text?: string;
    /** True for a file. Its media type is not known before, so `Accept` is not checked. */
    readonly isFile?: true;
    /** Headers of the answer besides those that all answers have. */
    readonly headers?: readonly ('Content-Language' | 'ETag' | 'Link' | 'Location' | 'X-Total-Count')[];
    /**
     * Properties of the answer to a write that a credential gets even without the read scope, in addition to
     * `IDENTITY_PROPERTIES`. They are secrets that are shown once, and results that are no values of an object.
     */
    readonly alwaysShown?: readonly string[];
    /**
     * Secrets that only the first answer has. They are not in the answer that is stored for a repeated
     * `Idempotency-Key`.
     */
    readonly shownOnce?: readonly string[];
  };
  /**
   * True for an operation with a dry run. With `?dry_run=true` it changes nothing, and answers 200 with what it would
   * remove.
   */
  readonly dryRun?: true;
  /** Codes of violations besides the common codes, each with its meaning. */
  readonly errorCodes?: ErrorCodes;
  /** A sentence that describes the 409 answer. The answers about an `Idempotency-Key` have sentences of their own. */
  readonly conflict?: string;
  /**
   * The protocol to which the operation belongs. Clients of the protocol know the operation, so the OpenAPI document
   * leaves it out. Its handler reads the body as a stream and checks the headers.
   */
  readonly protocol?: 'tus';
  /** The 503 answer. Present when its body is not the common error body. */
  readonly unavailable?: {
    readonly description: string;
    readonly schema: { readonly name: string; readonly schema: JsonSchema };
  };
  /** The sentence about authentication in the reference, for a public route that authenticates its clients itself. */
  readonly access?: string;
  /** Further properties of each error body of the route. */
  readonly errorDetails?: NonNullable<FastifyContextConfig['errorDetails']>;
  /** True for a route outside the API prefix whose answers hold secrets. No cache may store them. */
  readonly isNeverCached?: true;
  /** Error answers besides the common ones. */
  readonly otherErrors?: readonly {
    readonly status: number;
    readonly description: string;
    readonly headers?: readonly ('Retry-After' | 'WWW-Authenticate')[];
  }[];
  /** The compatibility flag of the operation. Only versions in which the flag is in force have the operation. */
  readonly compatibilityFlag?: CompatibilityFlag;
}

/** The properties of an item that every client gets in the answer to its write. */
export const IDENTITY_PROPERTIES = ['id', 'uuid', 'url', 'created_dt', 'updated_dt'] as const;

/** The properties of the answer to a write that a credential without the read scope gets. */
export const limitedProperties = ({ answer, dryRun }: OperationDescription): readonly string[] => [
  ...IDENTITY_PROPERTIES,
  ...(answer.alwaysShown ?? []),
  ...(dryRun ? Object.keys(DRY_RUN_ANSWER.properties) : []),
];

/** Name of the query parameter, and of the property of the answer to a dry run. */
export const DRY_RUN = 'dry_run';

export const DRY_RUN_PARAMETER: QueryParameter = {
  name: DRY_RUN,
  description: '`true` changes nothing: the answer lists what the operation would remove.',
  schema: { type: 'boolean', const: true },
};

/** Texts of other people's objects that mention an anonymised person. Source: docs/reference/data-protection.md. */
export const REMAINING_SCHEMA = {
  type: 'array',
  description: 'Texts of others that still mention the person. Their content is never part of the answer.',
  items: strictObject({
    resource: { type: 'string', description: 'Name of the resource, such as `notification_topics`.' },
    id: { type: 'integer' },
    url: { type: 'string', format: 'uri', description: 'URL of the item, or of its history or form values.' },
    property: { type: 'string', description: 'JSON pointer of the text, such as `/name`.' },
  }),
} as const;

/**
 * The resources in which a word of the person is too common to be listed or cleared.
 * Source: docs/reference/data-protection.md.
 */
export const TOO_MANY_IN_SCHEMA = {
  type: 'array',
  description:
    'The resources whose texts have a very common word of the person, such as a first name that is a common word. ' +
    'More than 1,000 texts have this word. It is neither listed nor cleared.',
  items: { type: 'string' },
} as const;

const DRY_RUN_ANSWER = {
  name: DRY_RUN,
  properties: {
    [DRY_RUN]: { const: true },
    removed: {
      type: 'array',
      items: strictObject({
        kind: {
          type: 'string',
          description: 'Name of a resource, or of the kind of data, such as `form_values` or `stored_answers`.',
        },
        action: { enum: ['cleared', 'deleted'], description: '`cleared` rows stay and lose their personal values.' },
        count: { type: 'integer', minimum: 1 },
        ids: {
          type: ['array', 'null'],
          items: { type: 'integer' },
          description: 'Ids of the items. Null for data without ids, and without the read scope of the resource.',
        },
      }),
    },
    remaining: REMAINING_SCHEMA,
    too_many_in: TOO_MANY_IN_SCHEMA,
  },
} as const;

/** The answer to a dry run. Source: docs/reference/resources.md, "Dry runs". */
export const DRY_RUN_SCHEMA = {
  name: DRY_RUN_ANSWER.name,
  schema: strictObject(DRY_RUN_ANSWER.properties, ['remaining', 'too_many_in']),
};

/** A rule: certain values of a property in a body need a scope. */
export interface ValueScopes {
  readonly property: string;
  /**
   * The values that need the scope, or a function that returns true for them. The second parameter of the function is
   * the recruiter of the credential.
   */
  readonly values: readonly unknown[] | ((value: unknown, recruiterId: number) => boolean);
  /** The scope that a request with such a value needs. Without the scope the answer is 403. */
  readonly needs?: Scope;
  /** The scope that a client needs to get the whole answer to a request with such a value. */
  readonly shows?: Scope;
}

export interface BodyDescription {
  /** Name of the schema in the OpenAPI document. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** A valid body. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** True when a request may have no body. By default, a body is required. */
  readonly isOptional?: boolean;
  /** Scopes that certain values of properties need. */
  readonly valueScopes?: readonly ValueScopes[];
  /**
   * The media type of the body. Defaults to `application/json`. In `multipart/form-data`, each property is one part
   * that contains JSON. All properties of a merge patch are optional, and its clients may also send `application/json`.
   */
  readonly mediaType?: 'multipart/form-data' | 'application/x-www-form-urlencoded' | typeof MERGE_PATCH | typeof BYTES;
  /** True when the handler converts bodies of older versions itself. It needs the item before the change for this. */
  readonly isOfItem?: true;
}

/** The media type of a body that is a file of any type, or form data with the file. The handler reads it as a stream. */
export const BYTES = 'application/octet-stream';

export const OPERATION = 'ats:operation';

/**
 * Describes a route for the reference. The decorator also sets the route's media types and compatibility flag, and
 * whether it requires a body. Tests reject a route without this decorator.
 */
export const Operation = (description: OperationDescription): MethodDecorator => {
  const { answer, body, compatibilityFlag, errorDetails, isNeverCached, protocol, takesQueryInBody } = description;
  const answerTypes = answer.isFile
    ? []
    : [
        ...(answer.schema ? [JSON_TYPE] : []),
        ...(answer.text ? [answer.text] : []),
        ...(answer.isExported ? Object.values(EXPORT_TYPES) : []),
      ];
  return applyDecorators(
    SetMetadata(OPERATION, description),
    RouteConfig({
      ...(body?.mediaType && { bodyType: body.mediaType }),
      ...((body?.mediaType === BYTES || protocol) && { streamsBody: true }),
      ...(body && !body.isOptional && { requiresBody: true }),
      ...(answerTypes.length > 0 && { answerTypes }),
      ...(body?.isOfItem && { convertsBody: true }),
      ...(compatibilityFlag && { compatibilityFlag }),
      ...(errorDetails && { errorDetails }),
      ...(isNeverCached && { isNeverCached }),
      ...(answer.shownOnce && { shownOnce: answer.shownOnce }),
      ...(takesQueryInBody && { takesQueryInBody }),
      ...(answer.isExported && { exported: description }),
      ...personalItemOf(answer),
    }),
  );
};

/**
 * Returns the name of the resource whose items the answer shows, when they show personal data. The audit log records
 * such answers.
 */
function personalItemOf({ itemOf, schema }: OperationDescription['answer']): FastifyContextConfig {
  const name = itemOf ?? (schema?.isList ? undefined : schema?.name);
  const resource = name === undefined ? undefined : findResource(name);
  return resource && showsPersonalData(resource) ? { showsPersonalItemOf: resource.name } : {};
}

/** Returns the words for one item of a resource in a summary, such as `an application`. */
export function oneOf({ type }: Resource): string {
  const name = type.name.replaceAll('_', ' ');
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the given error codes that the resource defines, each with its meaning. */
export const codesOf = ({ type }: Resource, names: readonly string[]): ErrorCodes =>
  Object.fromEntries(Object.entries(type.errorCodes).filter(([code]) => names.includes(code)));
