import { findResource, type JsonSchema, type Resource, showsPersonalData } from '@ats/domain';
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
    /** Name of the resource with the item of the answer, if its items show personal data. */
    readonly showsPersonalItemOf?: string;
    /** The description of a list that can be exported. */
    readonly exported?: OperationDescription;
  }
}

/** The schema of an object with these properties and no others. All but the `optional` ones are required. */
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
  /** Parameters are optional by default. */
  readonly required?: true;
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
  /** The second part of the operation id, where the part that `openapi/operation-id.ts` derives would be unclear. */
  readonly action?: string;
  readonly body?: BodyDescription;
  readonly query?: readonly QueryParameter[];
  /**
   * True for a POST that reads: it takes the parameters of `query` as properties of its body, and answers like the GET
   * of the path without the last part.
   */
  readonly takesQueryInBody?: true;
  /** The route ignores unknown query parameters, because other programs add parameters to links to pages. */
  readonly takesAnyQuery?: true;
  /** Path parameters that are not ids, by name. */
  readonly path?: Readonly<Record<string, Omit<QueryParameter, 'name'>>>;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    /**
     * Name of the resource of the item in the path, or of the items in the body, which the answer is about. Defaults to
     * the resource with the name of the schema, if the answer is one item.
     */
    readonly itemOf?: string;
    /** The schema of the answer. Absent for an answer without a body. */
    readonly schema?: { readonly name: string; readonly schema: JsonSchema; readonly isList?: boolean };
    /** True for a list that clients can also read in the media types of exports. */
    readonly isExported?: boolean;
    /** Media type of an answer that is text. With `schema`, the client chooses between JSON and text. */
    readonly text?: string;
    /** True for a file, whose media type the client cannot know before. `Accept` is not checked. */
    readonly isFile?: true;
    /** Headers in addition to the common headers of all answers. */
    readonly headers?: readonly ('Content-Language' | 'ETag' | 'Link' | 'Location' | 'X-Total-Count')[];
    /**
     * Properties of the answer to a write that also a credential without the read scope gets, in addition to
     * `IDENTITY_PROPERTIES`: secrets that are shown once, and results that are no values of an object.
     */
    readonly alwaysShown?: readonly string[];
    /** Secrets that only the first answer has. The stored answer for a repeated `Idempotency-Key` lacks them. */
    readonly shownOnce?: readonly string[];
  };
  /** With `?dry_run=true`, the operation changes nothing and answers 200 with what it would remove. */
  readonly dryRun?: true;
  /** Codes of violations in addition to the common ones, each with its meaning. */
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** A sentence for each 409 answer, in addition to those for an `Idempotency-Key`. */
  readonly conflict?: string;
  /**
   * The operation belongs to a protocol whose clients know it. The OpenAPI document leaves it out. Its handler reads
   * the body as a stream and checks the headers.
   */
  readonly protocol?: 'tus';
  /** The 503 answer, when it does not have the common error body. */
  readonly unavailable?: {
    readonly description: string;
    readonly schema: { readonly name: string; readonly schema: JsonSchema };
  };
  /** Replaces the sentence about the credential on a public route that authenticates its clients itself. */
  readonly access?: string;
  /** Further properties of each error body of the route. */
  readonly errorDetails?: NonNullable<FastifyContextConfig['errorDetails']>;
  /** True for a route outside the API prefix whose answers hold secrets. No cache may store them. */
  readonly isNeverCached?: true;
  /** Error answers in addition to the common ones. */
  readonly otherErrors?: readonly {
    readonly status: number;
    readonly description: string;
    readonly headers?: readonly ('Retry-After' | 'WWW-Authenticate')[];
  }[];
  /** The compatibility flag of the operation. The operation exists only in versions where the flag is in force. */
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

/** Name of the query parameter, and of the property that marks the answer. */
export const DRY_RUN = 'dry_run';

export const DRY_RUN_PARAMETER: QueryParameter = {
  name: DRY_RUN,
  description: '`true` changes nothing: the answer lists what the operation would remove.',
  schema: { type: 'boolean', const: true },
};

/** Texts of others that mention an anonymised person. Source: docs/reference/data-protection.md. */
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

/** The resources whose texts anonymising does not list. Source: docs/reference/data-protection.md. */
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

/** The scopes that some values of a property of a body need. */
export interface ValueScopes {
  readonly property: string;
  /** The values, or a function that tells whether a value is one of them, given the recruiter of the credential. */
  readonly values: readonly unknown[] | ((value: unknown, recruiterId: number) => boolean);
  /** A request with such a value needs this scope. Without the scope the answer is 403. */
  readonly needs?: Scope;
  /** The answer to a request with such a value is limited without this scope. */
  readonly shows?: Scope;
}

export interface BodyDescription {
  /** Name of the schema in the OpenAPI document. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** A valid body. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Bodies are required by default. */
  readonly isOptional?: boolean;
  /** Values of properties that need further scopes. */
  readonly valueScopes?: readonly ValueScopes[];
  /**
   * The media type of the body. Defaults to `application/json`. In `multipart/form-data` each property is one part that
   * contains JSON. A merge patch may also be sent as `application/json`, and all its properties are optional.
   */
  readonly mediaType?: 'multipart/form-data' | 'application/x-www-form-urlencoded' | typeof MERGE_PATCH | typeof BYTES;
  /** True when the handler converts bodies of older versions itself, because this needs the item before the change. */
  readonly isOfItem?: true;
}

/** The media type of a body that is a file of any type, or form data with the file. The handler reads it as a stream. */
export const BYTES = 'application/octet-stream';

export const OPERATION = 'ats:operation';

/**
 * Describes a route for the reference. The decorator also tells the route whether a body is required, the media types of
 * body and answer, and the compatibility flag. Tests reject a route without this decorator.
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

/** The audit log records answers with an item of a resource that shows personal data. */
function personalItemOf({ itemOf, schema }: OperationDescription['answer']): FastifyContextConfig {
  const name = itemOf ?? (schema?.isList ? undefined : schema?.name);
  const resource = name === undefined ? undefined : findResource(name);
  return resource && showsPersonalData(resource) ? { showsPersonalItemOf: resource.name } : {};
}

/** Names one item of a resource for a summary, such as `an application`. */
export function oneOf({ type }: Resource): string {
  const name = type.name.replaceAll('_', ' ');
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The codes among `names` that the resource defines, each with its meaning. */
export const codesOf = ({ type }: Resource, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(type.errorCodes).filter(([code]) => names.includes(code)));
