import { DatapathError, parseDatapath, resolveDatapath, type ResolvedDatapath } from '@ats/datapath';
import { message } from '@ats/message';
import { type Path, type PathEnd, type PathStep } from '../model/condition.js';
import { type ViolationReport, type TextSlice } from './violation.js';
import { collectionStep, DEFAULT_VALUE_ATTRIBUTE } from '../model/collection-step.js';
import { resolvePointer } from './pointer-key.js';
import {
  getAttribute,
  getRelation,
  getSearchObject,
  idNameOf,
  ownOf,
  type SearchSubject,
} from '../model/search-model.js';

/** A key that was found in the model. A reference is compared by the id of its target. */
export interface ResolvedKey {
  readonly path: Path;
  readonly isReference: boolean;
  /** All values that can occur, when the model limits them. */
  readonly values?: readonly string[];
}

/** Looks up a key: a JSON pointer into the representation when it begins with a slash, otherwise a datapath. */
export function resolveKey(subject: SearchSubject, report: ViolationReport, key: TextSlice): ResolvedKey | undefined {
  if (!key.text.startsWith('/')) return resolvePath(subject, report, key);
  const found = resolvePointer(subject, report, key);
  return found && toKey(subject, { report, key }, resolveKnown(subject, found.datapath), found.labels);
}

/** Looks up a datapath. The name of the root may be left out. */
export function resolvePath(subject: SearchSubject, report: ViolationReport, key: TextSlice): ResolvedKey | undefined {
  try {
    const resolved = resolveDatapath(parseDatapath(key.text, subject.model), subject.model, subject.root, {
      rootOptional: true,
    });
    return toKey(subject, { report, key }, resolved, []);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    for (const { message: violation, offset, length, hint, code } of error.violations) {
      const kind =
        code === 'not_a_value' ? 'not_a_value' : error.name === 'DatapathSyntaxError' ? 'invalid_key' : 'unknown_key';
      report.add({ code: kind, message: violation, offset: key.offset + offset, length, hint: hint ?? undefined });
    }
    return undefined;
  }
}

/** Returns the path of a field of the representation. @throws {DatapathError} when it does not fit the model */
export function pathOfField(subject: SearchSubject, datapath: string): Path {
  const resolved = resolveKnown(subject, datapath);
  const end = endOf(subject, resolved);
  if (!end) throw new Error(`the datapath ${subject.root}.${datapath} must end at a value`);
  return { datapath, root: subject.root, steps: stepsOf(subject, resolved, []), end, many: resolved.many };
}

const resolveKnown = ({ model, root }: SearchSubject, datapath: string): ResolvedDatapath =>
  resolveDatapath(parseDatapath(datapath, model), model, root, { rootOptional: true });

/** Returns the path of a datapath that was found in the model and ends on a value. */
export function pathOfResolved(subject: SearchSubject, resolved: ResolvedDatapath): Path {
  const end = endOf(subject, resolved);
  if (!end) throw new Error(`the datapath ${resolved.text} must end at a value`);
  const { root, text, many } = resolved;
  return { datapath: text.slice(root.length + 1), root, steps: stepsOf(subject, resolved, []), end, many };
}

type Label = NonNullable<PathStep['label']>;

interface KeySource {
  readonly report: ViolationReport;
  readonly key: TextSlice;
}

function toKey(
  subject: SearchSubject,
  source: KeySource,
  resolved: ResolvedDatapath,
  labels: readonly (Label | null)[],
): ResolvedKey | undefined {
  const { report, key } = source;
  const end = endOf(subject, resolved);
  const datapath = resolved.text.slice(resolved.root.length + 1);
  if (!end) {
    const violation = message`${resolved.text} has no value to compare`;
    return report.add({
      code: 'not_a_value',
      message: violation,
      offset: key.offset,
      length: key.length,
      hint: message`name an attribute of this object`,
    });
  }
  const path: Path = {
    datapath,
    root: resolved.root,
    steps: stepsOf(subject, resolved, labels),
    end,
    many: resolved.many,
  };
  const { values } = resolved;
  return { path, isReference: resolved.end.kind === 'reference', ...(values && { values }) };
}

function stepsOf(
  { model }: SearchSubject,
  resolved: ResolvedDatapath,
  labels: readonly (Label | null)[],
): readonly PathStep[] {
  const { steps, end } = resolved;
  const last =
    end.kind === 'reference' ? end.relation : end.kind === 'collection' ? collectionStep(model, end.key) : [];
  const names = steps.map(({ relation }) => relation).concat(last);
  let owner = resolved.root;
  let lists = 0;
  return names.map((relation): PathStep => {
    const { target, many = false } = getRelation(model, owner, relation);
    const label = many ? labels[lists++] : undefined;
    const step = { relation, owner, target, many, ...(label && { label }) };
    owner = target;
    return step;
  });
}

function endOf({ model }: SearchSubject, { end, owner, type }: ResolvedDatapath): PathEnd | undefined {
  if (end.kind === 'attribute' && type !== 'reference') {
    const attribute = ownOf(getSearchObject(model, owner).attributes, end.name);
    return { kind: 'attribute', owner, name: end.name, type, many: attribute?.many === true };
  }
  if (end.kind === 'collection' && type !== 'reference') {
    const { target } = getRelation(model, owner, collectionStep(model, end.key));
    const name = model.valueAttribute ?? DEFAULT_VALUE_ATTRIBUTE;
    return { kind: 'attribute', owner: target, name, type, many: getAttribute(model, target, name).many === true };
  }
  if (end.kind !== 'reference') return undefined;
  const id = ownOf(getSearchObject(model, end.target).attributes, idNameOf(model));
  if (id) return { kind: 'attribute', owner: end.target, name: idNameOf(model), type: id.type, many: false };
  return getRelation(model, owner, end.relation).many === true ? { kind: 'object' } : undefined;
}
