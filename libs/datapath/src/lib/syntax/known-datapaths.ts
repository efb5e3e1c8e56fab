import { isWordCharacter } from './characters.js';
import { type IndexedCollection } from './collection.js';
import { type Datapath, type KnownSyntax, scanDatapath } from './datapath.js';
import { LIMITS } from './limits.js';

/** Maximum number of datapaths that are remembered for each list of collections. */
const MAX_KNOWN = 1_000;
const DOT = 0x2e;
const COLON = 0x3a;

type KnownDatapaths = Map<string, Datapath>;
const withoutCollections: KnownDatapaths = new Map();
/** The remembered datapaths for each list of collections, because collections decide where a datapath ends. */
const withCollections = new WeakMap<readonly IndexedCollection[], KnownDatapaths>();

/**
 * Like `scanDatapath`, but remembers the result, because the expressions of a host repeat the same datapaths. All
 * expressions then share the texts of the names, which makes the check faster.
 */
export function scanKnownDatapath(source: string, start: number, syntax: KnownSyntax): Datapath {
  // Results are remembered only for the default limits. Other limits can refuse a datapath that the default limits
  // allow.
  if (syntax.limits !== LIMITS) return scanDatapath(source, start, syntax);
  let end = start;
  for (let code = source.charCodeAt(end); isWordCharacter(code) || code === DOT || code === COLON; )
    code = source.charCodeAt(++end);
  const text = source.slice(start, end);
  const known = knownWith(syntax.collections);
  const found = known.get(text);
  if (found !== undefined) return found;
  const path = scanDatapath(source, start, syntax);
  // A datapath that is shorter than `text` is not remembered: the parser will report a violation after it.
  if (path.text.length !== text.length) return path;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, path);
  return path;
}

function knownWith(collections: readonly IndexedCollection[] | undefined): KnownDatapaths {
  if (collections === undefined) return withoutCollections;
  const found = withCollections.get(collections);
  if (found !== undefined) return found;
  const made: KnownDatapaths = new Map();
  withCollections.set(collections, made);
  return made;
}
