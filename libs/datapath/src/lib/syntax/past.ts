import { type PastFunction } from './ast.js';

/** A call of CHANGED or WAS, as its canonical text states it. */
export interface PastCall {
  /** The called function: CHANGED or WAS. */
  readonly call: PastFunction;
  /** The canonical text of the datapath in the parentheses. */
  readonly datapath: string;
}

const CALL = /^(CHANGED|WAS)\((.+)\)$/;

/**
 * Returns the canonical text of a call. Evaluation asks the context for the value of this text, as for a datapath.
 * Source: docs/reference/expressions.md, "Functions".
 */
export const printPast = (call: PastFunction, datapath: string): string => `${call}(${datapath})`;

/** Reads a text that `CompiledExpression.datapaths` lists. Returns undefined when it is a datapath and not a call. */
export function readPast(text: string): PastCall | undefined {
  const [, call, datapath] = CALL.exec(text) ?? [];
  return datapath === undefined ? undefined : { call: call as PastFunction, datapath };
}

/** Returns the datapath in a text: the text itself, or the argument of CHANGED or WAS. */
export const datapathIn = (text: string): string => readPast(text)?.datapath ?? text;
