import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** The metrics and labels that a PromQL expression reads. */
export interface ExpressionParts {
  /** One entry for each selector, with its label matchers. `value` is null when the matcher is not `=`. */
  readonly selectors: readonly {
    readonly metric: string;
    readonly labels: readonly { readonly name: string; readonly value: string | null }[];
  }[];
  /** Labels in `by` and `without` clauses. */
  readonly grouping: readonly string[];
}

/** Maps each variable that Grafana replaces in a query to a value for the tests. */
const PLACEHOLDERS: readonly (readonly [string, string])[] = [['$__rate_interval', '5m']];

/** Parses a PromQL expression. @throws {Error} that contains the expression when it is not PromQL */
export function parseExpression(expression: string): ExpressionParts {
  const text = PLACEHOLDERS.reduce((left, [placeholder, value]) => left.replaceAll(placeholder, value), expression);
  const textOf = ({ from, to }: Node): string => text.slice(from, to);
  const found: { selectors: ExpressionParts['selectors'][number][]; grouping: string[] } = {
    selectors: [],
    grouping: [],
  };
  const visit = (node: Node): void => {
    if (node.type.isError) throw new Error(`invalid PromQL at ${node.from}: ${text}`);
    if (node.name === 'VectorSelector') return void found.selectors.push(selectorOf(node, textOf));
    if (node.name === 'GroupingLabels') found.grouping.push(...childrenOf(node).map(textOf));
    childrenOf(node).forEach(visit);
  };
  visit(parser.parse(text).topNode);
  return found;
}

function selectorOf(node: Node, textOf: (node: Node) => string): ExpressionParts['selectors'][number] {
  const [identifier, matchers] = [node.getChild('Identifier'), node.getChild('LabelMatchers')];
  if (!identifier) throw new Error(`PromQL selector names no metric: ${textOf(node)}`);
  const labels = (matchers ? childrenOf(matchers) : []).map((matcher) => {
    const [name, operator, value] = childrenOf(matcher).map(textOf);
    if (name === undefined || value === undefined)
      throw new Error(`PromQL label matcher is not supported by this test: ${textOf(matcher)}`);
    return { name, value: operator === '=' ? (JSON.parse(value) as string) : null };
  });
  return { metric: textOf(identifier), labels };
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
