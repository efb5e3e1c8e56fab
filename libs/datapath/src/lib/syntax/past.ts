import { type PastFunction } from './ast.js';

/** A call of CHANGED or WAS, read from its canonical text. */
export interface PastCall {
  /** The function. */
  readonly call: PastFunction;
  /** The canonical text of the argument. */
  readonly datapath: string;
}

const CALL = /^(CHANGED|WAS)\((.+)\)$/;

/**
 * The canonical text of a call. Evaluation asks the context for the value of this text, as it does for a datapath.
 * Source: docs/reference/expressions.md, "Functions".
 */
export const printPast = (call: PastFunction, datapath: string): string => `${call}(${datapath})`;

/** Reads a text that `CompiledExpression.datapaths` lists. Returns undefined for a datapath. */
export function readPast(text: string): PastCall | undefined {
  const [, call, datapath] = CALL.exec(text) ?? [];
  return datapath === undefined ? undefined : { call: call as PastFunction, datapath };
}

/** The datapath itself, or the argument of CHANGED or WAS. */
export const datapathIn = (text: string): string => readPast(text)?.datapath ?? text;
