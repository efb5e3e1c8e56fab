import { findSimilar } from '@ats/datapath';
import { message } from '@ats/message';
import { type PathStep } from '../model/condition.js';
import { type ViolationReport, quote, type TextSlice } from './violation.js';
import { parsePointer, pointerNames, type PointerSegment } from './json-pointer.js';
import {
  DEFAULT_LABEL_ATTRIBUTE,
  getAttribute,
  getRelation,
  idNameOf,
  type SearchField,
  type SearchSubject,
} from '../model/search-model.js';

type Label = NonNullable<PathStep['label']>;

/** The datapath that a pointer stands for. */
export interface PointedDatapath {
  readonly datapath: string;
  /** One entry for each list that the pointer passes: the label that the pointer names, or null for any element. */
  readonly labels: readonly (Label | null)[];
}

/** A field of the representation that may be meant, and the names in its pointer that are not compared yet. */
interface OpenField {
  readonly field: SearchField;
  readonly rest: readonly string[];
}

interface Walk {
  readonly subject: SearchSubject;
  readonly report: ViolationReport;
  readonly key: TextSlice;
  readonly labels: (Label | null)[];
}

/**
 * Follows a pointer through the representation. A pointer that ends on a reference, or on a list of objects, stands for
 * the datapath of the relation.
 */
export function resolvePointer(
  subject: SearchSubject,
  report: ViolationReport,
  key: TextSlice,
): PointedDatapath | undefined {
  const segments = parsePointer(report, key);
  if (!segments) return undefined;
  const walk: Walk = { subject, report, key, labels: [] };
  let open: readonly OpenField[] = (subject.representation ?? []).map((field) => ({
    field,
    rest: pointerNames(field.pointer),
  }));
  for (const [index, segment] of segments.entries()) {
    const leaf = open.find(({ rest }) => rest.length === 0);
    if (leaf) return followValue(walk, leaf.field, segments.slice(index));
    const next = open.some(({ rest }) => rest[0] === '*')
      ? enterList(walk, open, segment)
      : enterName(walk, open, segment);
    if (!next) return undefined;
    open = next;
  }
  return endPointer(walk, open);
}

function enterName(
  { subject, report, key }: Walk,
  open: readonly OpenField[],
  segment: PointerSegment,
): readonly OpenField[] | undefined {
  const { offset, length, text } = segment;
  const next = open.filter(({ rest }) => rest[0] === text);
  if (next.length > 0 && segment.kind === 'name')
    return next.map(({ field, rest }) => ({ field, rest: rest.slice(1) }));
  const similar =
    pointerOfDatapath(key.text, subject.representation ?? []) ??
    findSimilar(text, new Set(open.map(({ rest }) => rest[0] ?? '')));
  const found = quote(report.text.slice(offset, offset + length));
  const violation = message`the representation of ${subject.root} has nothing called ${found} here`;
  const hint = similar === undefined ? undefined : message`did you mean "${similar}"?`;
  return report.add({ code: 'unknown_key', message: violation, offset, length, hint });
}

/**
 * Finds the pointer that a client meant when it separated the names of a datapath by slashes, such as
 * `/main_process_state/state/state`.
 */
function pointerOfDatapath(key: string, fields: readonly SearchField[]): string | undefined {
  const datapath = pointerNames(key).join('.');
  return fields.find((field) => field.datapath === datapath)?.pointer;
}

function enterList(walk: Walk, open: readonly OpenField[], segment: PointerSegment): readonly OpenField[] | undefined {
  const { subject, report } = walk;
  const { offset, length } = segment;
  const next = open.map(({ field, rest }) => ({ field, rest: rest.slice(1) }));
  if (segment.kind === 'any') {
    walk.labels.push(null);
    return next;
  }
  const attribute = subject.labelAttribute ?? DEFAULT_LABEL_ATTRIBUTE;
  const labelField = next.find(({ rest }) => rest.length === 1 && rest[0] === attribute);
  if (segment.kind === 'name' || !labelField) {
    const found = quote(report.text.slice(offset, offset + length));
    const violation = labelField
      ? message`expected ${'*'} or ${'[<label>]'} for an element of a list, found ${found}`
      : message`expected ${'*'} for an element of a list, found ${found}`;
    return report.add({ code: 'invalid_key', message: violation, offset, length });
  }
  const labels = valuesAt(subject, labelField.field.datapath);
  if (labels && !labels.includes(segment.text)) {
    const violation = message`there is no label ${quote(segment.text)}, expected one of ${labels}`;
    return report.add({ code: 'unknown_label', message: violation, offset, length });
  }
  walk.labels.push({ attribute, text: segment.text });
  return next;
}

function valuesAt({ model, root }: SearchSubject, datapath: string): readonly string[] | undefined {
  const names = datapath.split('.');
  const owner = names.slice(0, -1).reduce((type, name) => getRelation(model, type, name).target, root);
  return getAttribute(model, owner, names.at(-1) ?? '').values;
}

/** Handles a pointer that goes on after a value. Only one `*` may follow, and only after a list of values. */
function followValue(walk: Walk, field: SearchField, rest: readonly PointerSegment[]): PointedDatapath | undefined {
  const { subject, report } = walk;
  const [first, second] = rest;
  const names = field.datapath.split('.');
  const owner = names.slice(0, -1).reduce((type, name) => getRelation(subject.model, type, name).target, subject.root);
  const isList = getAttribute(subject.model, owner, names.at(-1) ?? '').many === true;
  if (isList && first?.kind === 'any' && !second) return { datapath: field.datapath, labels: walk.labels };
  const found = isList && first?.kind === 'any' ? second : first;
  const { pointer } = field;
  const violation = isList
    ? message`${pointer} is a list of values: only ${'*'} can follow it`
    : message`${pointer} is a value: nothing can follow it`;
  return report.add({
    code: 'unknown_key',
    message: violation,
    offset: found?.offset ?? 0,
    length: found?.length ?? 0,
  });
}

function endPointer({ subject, report, key, labels }: Walk, open: readonly OpenField[]): PointedDatapath | undefined {
  const value = open.find(({ rest }) => rest.length === 0);
  if (value) return { datapath: value.field.datapath, labels };
  const name = idNameOf(subject.model);
  const id = open.find(
    ({ rest, field }) => rest.length === 1 && rest[0] === name && field.datapath.endsWith(`.${name}`),
  );
  const element = open.find(({ rest }) => rest.length === 2 && rest[0] === '*');
  const below = id ?? element;
  if (below) return { datapath: below.field.datapath.replace(/\.\w+$/, ''), labels };
  const names = [...new Set(open.map(({ rest }) => rest[0] ?? ''))];
  const violation = message`${quote(key.text)} is an object, not a value`;
  return report.add({
    code: 'not_a_value',
    message: violation,
    offset: key.offset,
    length: key.length,
    hint: message`add one of the names ${names}`,
  });
}
