/**
 * Texts with the results of the language service. Every adapter to an editor must give the same results. The cursor of
 * a completion is at `|`. The model is `recruiting.ts`.
 */
export interface CompletionCase {
  readonly text: string;
  /** The first suggestions, in order. */
  readonly first?: readonly string[];
  /** All suggestions, in order. */
  readonly all?: readonly string[];
  /** The text after the first suggestion was taken. */
  readonly result?: string;
}

export const COMPLETIONS: readonly CompletionCase[] = [
  { text: '|', first: ['application', 'posting', 'opportunity', 'NOT'] },
  { text: 'app|', all: ['application'], result: 'application' },
  { text: 'n|', all: ['NOT'] },
  { text: 'application.|', first: ['id', 'opportunity_id', 'score'] },
  { text: 'application.us|', all: ['user'], result: 'application.user' },
  { text: 'application.us|er.firstname == "x"', all: ['user'], result: 'application.user.firstname == "x"' },
  { text: 'application.user.Address.|', all: ['City', 'PostalCode', 'floor', 'since_dt'] },
  { text: 'application.form|', all: ['formdata'] },
  { text: 'application.formdata.|', all: ['21', '22', '23'], result: 'application.formdata.21' },
  { text: 'application.unknown.|', all: [] },
  { text: 'application.source |', all: ['==', '!=', '=~', '!~', 'IN', 'NOT IN', '<', '<=', '>', '>='] },
  { text: 'application.source =|', all: ['==', '=~'], result: 'application.source ==' },
  { text: 'application.score |', first: ['==', '!=', '<', '<=', '>', '>=', 'IN', 'NOT IN', '+', '-'] },
  { text: 'application.is_internal |', first: ['AND', 'OR', '==', '!='] },
  { text: 'application.is_internal == |', first: ['TRUE', 'FALSE', 'NULL'] },
  { text: 'application.is_internal == t|', all: ['TRUE'], result: 'application.is_internal == TRUE' },
  { text: 'application.applied_date <= |', first: ['DATE("today")', 'DATE("now")', 'NULL', 'application'] },
  { text: 'application.applied_date <= DATE(|', all: ['"today"', '"now"'] },
  {
    text: 'application.applied_date <= DATE("to|',
    all: ['"today"'],
    result: 'application.applied_date <= DATE("today"',
  },
  { text: 'application.applied_date <= DATE("today") |', all: ['AND', 'OR', '+', '-'] },
  { text: 'application.applied_date <= DATE("today") + |', first: ['DTDURATION(7, 0, 0, 0)'] },
  { text: 'application.opportunity.state.name == |', first: ['"open"', '"closed"', 'NULL'] },
  {
    text: 'application.opportunity.state.name == "cl|"',
    all: ['"closed"'],
    result: 'application.opportunity.state.name == "closed"',
  },
  { text: 'application.opportunity.state.name IN {"open", |', first: ['"open"', '"closed"', 'NULL'] },
  { text: 'application.opportunity.state.name IN {"open" |', all: [] },
  { text: 'application.opportunity.state.name IN |', all: ['('] },
  { text: 'application.opportunity.state.name NOT |', all: ['IN'] },
  { text: 'application.opportunity.state.name IN {"open"} |', all: ['AND', 'OR'] },
  { text: 'application.score > 3 AND |', first: ['application', 'posting'] },
  { text: '(application.score > 3) |', all: ['AND', 'OR'] },
  { text: '(application.score |', first: ['==', '!='] },
  { text: 'application.score > 3 application|', all: [] },
  { text: 'CHANGED(application.sc|', all: ['score'], result: 'CHANGED(application.score' },
  { text: 'CHANGED(application.score) |', all: ['AND', 'OR'] },
  { text: 'CHANGED(application.score |', all: [] },
  { text: 'WAS(application.opportunity.state.name) == |', first: ['"open"', '"closed"', 'NULL'] },
  { text: 'WAS(application.score) |', first: ['==', '!=', '<', '<='] },
  { text: '== |', all: [] },
  { text: 'application.source == "free te|', all: [] },
];

export interface DiagnosticCase {
  readonly text: string;
  /** The code and the marked text of each violation. */
  readonly violations: readonly (readonly [code: string, marked: string])[];
  /** The text after the first fix of the first violation; undefined when there is none. */
  readonly fixed?: string;
}

export const DIAGNOSTICS: readonly DiagnosticCase[] = [
  { text: '', violations: [] },
  { text: 'application.score > 3', violations: [] },
  { text: 'application.score = 3', violations: [['wrong_operator', '=']], fixed: 'application.score == 3' },
  {
    text: 'application.is_internal && application.score = 3',
    violations: [['wrong_operator', '&&']],
    fixed: 'application.is_internal AND application.score = 3',
  },
  {
    text: 'application.scor > 3 AND application.sorce == "x"',
    violations: [
      ['unknown_name', 'scor'],
      ['unknown_name', 'sorce'],
    ],
    fixed: 'application.score > 3 AND application.sorce == "x"',
  },
  { text: 'applicaton.score > 3', violations: [['unknown_root', 'applicaton']], fixed: 'application.score > 3' },
  { text: 'score > 3', violations: [['unknown_root', 'score']], fixed: 'application.score > 3' },
  {
    text: 'application.id == "42"',
    violations: [['type_mismatch', 'application.id == "42"']],
    fixed: 'application.id == 42',
  },
  {
    text: 'application.source == 42',
    violations: [['type_mismatch', 'application.source == 42']],
    fixed: 'application.source == "42"',
  },
  {
    text: 'application.user == 1',
    violations: [['not_a_value', 'application.user']],
    fixed: undefined,
  },
  {
    text: 'application.opportunity.state.name == "clsoed"',
    violations: [['unlisted_value', '"clsoed"']],
    fixed: 'application.opportunity.state.name == "closed"',
  },
  {
    text: 'application.is_internal < TRUE',
    violations: [['operator_not_allowed', 'application.is_internal < TRUE']],
    fixed: 'application.is_internal == TRUE',
  },
  { text: 'application.score > ', violations: [['unexpected_end', '']] },
  { text: 'application.source == "x', violations: [['unterminated_string', '"x']] },
];
