import { isWordCharacter } from './characters.js';
import { type IndexedCollection } from './collection.js';
import { type Datapath, type KnownSyntax, scanDatapath } from './datapath.js';
import { LIMITS } from './limits.js';

/** Maximum number of datapaths to remember for each list of collections. */
const MAX_KNOWN = 1_000;
const DOT = 0x2e;
const COLON = 0x3a;

type KnownDatapaths = Map<string, Datapath>;
const withoutCollections: KnownDatapaths = new Map();
/** By the collections of the host, which decide where a datapath ends. */
const withCollections = new WeakMap<readonly IndexedCollection[], KnownDatapaths>();

/**
 * Does the same as `scanDatapath`, and remembers the result. Expressions of one host repeat the same datapaths. All
 * expressions then share the texts of the names, which the check looks up faster than new texts.
 */
export function scanKnownDatapath(source: string, start: number, syntax: KnownSyntax): Datapath {
  // With limits of its own, a host may refuse what is valid elsewhere.
  if (syntax.limits !== LIMITS) return scanDatapath(source, start, syntax);
  let end = start;
  for (let code = source.charCodeAt(end); isWordCharacter(code) || code === DOT || code === COLON; )
    code = source.charCodeAt(++end);
  const text = source.slice(start, end);
  const known = knownWith(syntax.collections);
  const found = known.get(text);
  if (found !== undefined) return found;
  const path = scanDatapath(source, start, syntax);
  // A longer text has a violation after the datapath, which the parser reports.
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
