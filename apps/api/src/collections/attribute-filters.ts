import { unlistedValue } from '@ats/datapath';
import { describedValues, ISSUE_MESSAGES, issueMessage, type Resource, searchSubject } from '@ats/domain';
import { type Message, message } from '@ats/message';
import { findOnly } from '@ats/pagination';
import { type CollectionQuery, readCollectionQuery } from '@ats/search-query';
import { type QueryParameter } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';

/** Describes the attribute filters of a resource for the reference. */
export const attributeFilterParameters = ({ type, attributeFilters = [] }: Resource): readonly QueryParameter[] =>
  attributeFilters.map((name) => {
    const attribute = type.attributes[name];
    const values = attribute && describedValues(attribute);
    return {
      name,
      description: `Only items with this \`${name}\`.`,
      schema: { type: 'string', ...(values && { enum: values }) },
    };
  });

/**
 * Reads the attribute filters of a query, such as `?resource=applications`, as conditions.
 * @param violations  receives the violations of these parameters
 */
export function readAttributeFilters(
  { name, type, attributeFilters = [] }: Resource,
  parameters: URLSearchParams,
  violations: ProblemDetail[],
): readonly CollectionQuery[] {
  return attributeFilters.flatMap((parameter): CollectionQuery[] => {
    const value = findOnly(parameters, parameter);
    if (value === undefined) return [];
    const attribute = type.attributes[parameter];
    const values = attribute && describedValues(attribute);
    const refuse = (info: Message): [] => {
      violations.push({ resource: name, path: '', parameter, code: 'invalid', info });
      return [];
    };
    if (typeof value === 'object') return refuse(value.info);
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
}
