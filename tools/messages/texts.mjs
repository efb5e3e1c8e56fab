// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { patternOf } from '@ats/message';
import ts from 'typescript';

/**
 * @typedef {object} Text a text for clients
 * @property {string} key the English ICU message, which is the key in the catalogues
 * @property {string[]} values the source code of each value that the text inserts
 * @property {string} place `file:line`
 */

/**
 * Finds all texts for clients in the source of the apps and libraries. `faults` reports texts that cannot be
 * translated.
 * @param {string} root root directory of the workspace
 * @returns {{ texts: Text[], faults: string[] }}
 */
export function findTexts(root) {
  const found = sourceFiles(root).map((file) => textsIn(readFileSync(file, 'utf8'), relative(root, file)));
  return { texts: found.flatMap(({ texts }) => texts), faults: found.flatMap(({ faults }) => faults) };
}

/**
 * Lists the source files of all apps and libraries, without specs.
 * @param {string} root
 */
const sourceFiles = (root) =>
  ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((project) => {
      const source = join(root, kind, project, 'src');
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => /^(?!.*spec\.ts$).*\.ts$/.test(file))
        .sort()
        .map((file) => join(source, file));
    }),
  );

/**
 * Finds the texts for clients in one source file.
 * @param {string} code
 * @param {string} file name of the file, for `place`
 * @returns {{ texts: Text[], faults: string[] }}
 */
export function textsIn(code, file) {
  /** @type {Text[]} */
  const texts = [];
  /** @type {string[]} */
  const faults = [];
  // Most files have no texts for clients and need not be parsed.
  if (!code.includes('message`')) return { texts, faults };
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  /**
   * Adds the texts for clients at and below a node.
   * @param {ts.Node} node
   */
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'message') {
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      const { key, values } = read(node.template);
      texts.push({ key, values: values.map((value) => value.getText()), place });
      faults.push(
        ...values
          .filter(isEnglish)
          .map((value) => `${place} composes a text of English words, which cannot be translated: ${value.getText()}`),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { texts, faults };
}

/**
 * Returns the key of a template, and the expressions of the values that the template inserts.
 * @param {ts.TemplateLiteral} template
 */
function read(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { key: patternOf([template.text]), values: [] };
  const { head, templateSpans } = template;
  return {
    key: patternOf([head.text, ...templateSpans.map(({ literal }) => literal.text)]),
    values: templateSpans.map(({ expression }) => expression),
  };
}

/**
 * Returns true for a value that inserts English text from the code, such as `isOne ? 'item' : 'items'`.
 * @param {ts.Expression} value
 * @returns {boolean}
 */
function isEnglish(value) {
  if (ts.isParenthesizedExpression(value)) return isEnglish(value.expression);
  if (ts.isConditionalExpression(value)) return isText(value.whenTrue) || isText(value.whenFalse);
  return ts.isBinaryExpression(value) && (isText(value.left) || isText(value.right));
}

/**
 * True for code that makes, or may make, an English text.
 * @param {ts.Expression} value
 */
const isText = (value) =>
  (ts.isStringLiteralLike(value) && /[a-z]/i.test(value.text)) || ts.isTemplateExpression(value) || isEnglish(value);
