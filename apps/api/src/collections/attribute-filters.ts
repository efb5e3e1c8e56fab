import { unlistedValue } from '@ats/datapath';
import { describedValues, ISSUE_MESSAGES, issueMessage, type Resource, searchSubject } from '@ats/domain';
import { type Message, message } from '@ats/message';
import { findOnly } from '@ats/pagination';
import { type CollectionQuery, readCollectionQuery } from '@ats/search-query';
import { readIdParameter } from '../request/id-parameter.js';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';

/** Describes the query parameters of a resource that filter by one attribute, for the reference. */
export const attributeFilterParameters = ({
  type,
  attributeFilters = [],
  appliesToFilters = [],
}: Resource): readonly QueryParameter[] => [
  ...attributeFilters.map((name) => {
    const attribute = type.attributes[name];
    const values = attribute && describedValues(attribute);
    return {
      name,
      description: `Only items with this \`${name}\`.`,
      schema: { type: 'string', ...(values && { enum: values }) },
    };
  }),
  ...appliesToFilters.map(({ parameter, description }) => ({
    name: parameter,
    description,
    schema: { type: 'integer', minimum: 1 },
  })),
];

/**
 * Reads the attribute filters of a query, such as `?resource=applications`, as conditions.
 * @param violations  receives the violations of these parameters
 */
export function readAttributeFilters(
  resource: Resource,
  parameters: URLSearchParams,
  violations: ProblemDetail[],
): readonly CollectionQuery[] {
  const { name, type, attributeFilters = [] } = resource;
  const byValue = attributeFilters.flatMap((parameter): CollectionQuery[] => {
    const value = findOnly(parameters, parameter);
    if (value === undefined) return [];
    const attribute = type.attributes[parameter];
    const values = attribute && describedValues(attribute);
    const refuse = (info: Message): [] => {
      violations.push({ resource: name, path: '', parameter, code: 'invalid', info });
      return [];
    };
    if (typeof value === 'object') return refuse(value.message);
    if (values && !values.includes(value)) {
      const { message: violation, hint } = unlistedValue(value, values, parameter);
      return refuse(message`${violation}; ${hint}`);
    }
    const wrong = attribute?.schema.safeParse(value, ISSUE_MESSAGES).error?.issues[0];
    if (wrong) return refuse(issueMessage(wrong));
    const query = readCollectionQuery(searchSubject(type), {
      search: [`/${parameter}={${value.replaceAll(/[\\{},]/g, '\\$&')}}`],
      sort: [],
    });
    return query.violations ? refuse(query.violations[0].message) : [query];
  });
  return [...byValue, ...readAppliesToFilters(resource, parameters, violations)];
}

/**
 * Reads parameters such as `?opportunity_id=12` of forms. An item matches when its list of ids contains the id, or is
 * empty.
 */
function readAppliesToFilters(
  { name, type, appliesToFilters = [] }: Resource,
  parameters: URLSearchParams,
  violations: ProblemDetail[],
): readonly CollectionQuery[] {
  return appliesToFilters.flatMap(({ parameter, attribute }): CollectionQuery[] => {
    const given = readIdParameter(parameters, parameter);
    if (!given) return [];
    const refuse = (info: Message): [] => {
      violations.push({ resource: name, path: '', parameter, code: 'invalid', info });
      return [];
    };
    if (given.violation) return refuse(given.violation);
    const query = readCollectionQuery(searchSubject(type), { search: [`${attribute}={${given.id},}`], sort: [] });
    return query.violations ? refuse(query.violations[0].message) : [query];
  });
}
