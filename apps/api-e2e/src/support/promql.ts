import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** What an expression asks for. */
export interface Queried {
  /** Each metric with the labels that its selectors compare, and with what where that is one value. */
  readonly selectors: readonly {
    readonly metric: string;
    readonly labels: readonly { readonly name: string; readonly value: string | null }[];
  }[];
  /** By which results are gathered. */
  readonly grouping: readonly string[];
}

/** Grafana replaces these before it asks. */
const PLACEHOLDERS: readonly (readonly [string, string])[] = [['$__rate_interval', '5m']];

/** @throws {Error} with the text where it is no PromQL */
export function parseExpression(expression: string): Queried {
  const text = PLACEHOLDERS.reduce((left, [placeholder, value]) => left.replaceAll(placeholder, value), expression);
  const textOf = ({ from, to }: Node): string => text.slice(from, to);
  const found: { selectors: Queried['selectors'][number][]; grouping: string[] } = { selectors: [], grouping: [] };
  const visit = (node: Node): void => {
    if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${text}`);
    if (node.name === 'VectorSelector') return void found.selectors.push(selectorOf(node, textOf));
    if (node.name === 'GroupingLabels') found.grouping.push(...childrenOf(node).map(textOf));
    childrenOf(node).forEach(visit);
  };
  visit(parser.parse(text).topNode);
  return found;
}

function selectorOf(node: Node, textOf: (node: Node) => string): Queried['selectors'][number] {
  const [identifier, matchers] = [node.getChild('Identifier'), node.getChild('LabelMatchers')];
  if (!identifier) throw new Error(`a selector without a metric: ${textOf(node)}`);
  const labels = (matchers ? childrenOf(matchers) : []).map((matcher) => {
    const [name, operator, value] = childrenOf(matcher).map(textOf);
    if (name === undefined || value === undefined)
      throw new Error(`a matcher that is not understood: ${textOf(matcher)}`);
    return { name, value: operator === '=' ? (JSON.parse(value) as string) : null };
  });
  return { metric: textOf(identifier), labels };
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
