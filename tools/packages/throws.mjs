// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../workspace.mjs';
import { isPublished, readProjects } from './template.mjs';

/**
 * Returns the source files of the entry points of all published libraries, without those with generated code.
 * @returns {string[]}
 */
export const entrySources = () =>
  readProjects()
    .filter(isPublished)
    .filter(({ folder }) => !existsSync(join(root, folder, 'src/generated')))
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {}).flatMap((target) =>
        typeof target === 'object' && target['types'] ? [join(root, folder, target['@ats/source'] ?? '')] : [],
      ),
    );

/**
 * Lists the exported functions and methods whose docstrings lack `@throws` for an error class of the libraries that
 * they can throw. Other errors, such as a `TypeError`, are mistakes of the programmer and are not counted. Errors that
 * a function catches are not counted either.
 * @param {readonly string[]} files the entry points
 * @returns {string[]} such as `@ats/datapath: parseDatapath throws DatapathSyntaxError`
 */
export function undocumentedThrows(files) {
  const program = ts.createProgram([...files], {
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true, types: ['node'] },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, customConditions: ['@ats/source'], noEmit: true },
  });
  const finder = new ThrowFinder(program.getTypeChecker());
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && program.getTypeChecker().getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    return finder.faultsOf(module).map((fault) => `${file.replace(`${root}/`, '')}: ${fault}`);
  });
}

class ThrowFinder {
  /** @type {Map<ts.Node, Set<string>>} the error classes that the body of a function can throw */
  #known = new Map();

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {ts.Symbol} module @returns {string[]} */
  faultsOf(module) {
    return this.checker.getExportsOfModule(module).flatMap((symbol) => {
      const declaration = this.#declarationOf(symbol);
      if (!declaration) return [];
      if (!ts.isClassDeclaration(declaration)) return this.#faultsOf(symbol.name, declaration);
      return declaration.members
        .filter((member) => !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private))
        .filter((member) => !(member.name && ts.isPrivateIdentifier(member.name)))
        .flatMap((member) => this.#faultsOf(`${symbol.name}.${member.name?.getText() ?? 'constructor'}`, member));
    });
  }

  /** @param {string} name @param {ts.Declaration} declaration @returns {string[]} */
  #faultsOf(name, declaration) {
    const documented = ts
      .getJSDocTags(documentedNode(declaration))
      .filter(({ tagName }) => tagName.text === 'throws')
      .map((tag) => tag.getText());
    return [...this.#thrownBy(declaration)]
      .filter((error) => !documented.some((text) => text.includes(`{${error}}`)))
      .map((error) => `${name} throws ${error}`);
  }

  /** @param {ts.Symbol | undefined} symbol @returns {ts.Declaration | undefined} a declaration in the source of a library */
  #declarationOf(symbol) {
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return target?.declarations?.find((one) => !one.getSourceFile().isDeclarationFile);
  }

  /** @param {ts.Node} declaration @returns {Set<string>} */
  #thrownBy(declaration) {
    const known = this.#known.get(declaration);
    if (known) return known;
    /** @type {Set<string>} */
    const found = new Set();
    this.#known.set(declaration, found);
    const body = bodyOf(declaration);
    if (body) this.#collect(body, found);
    return found;
  }

  /** @param {ts.Node} node @param {Set<string>} found */
  #collect(node, found) {
    // Ignores functions that are returned or are properties of an object, because they are called later.
    if (ts.isFunctionLike(node) && (isReturned(node) || !ts.isExpression(node) || ts.isPropertyAssignment(node.parent)))
      return;
    if (ts.isTryStatement(node) && node.catchClause) {
      this.#collect(node.catchClause, found);
      if (node.finallyBlock) this.#collect(node.finallyBlock, found);
      return;
    }
    if (ts.isThrowStatement(node)) {
      const thrown = this.checker.getTypeAtLocation(node.expression).symbol;
      if (this.#declarationOf(thrown)) found.add(thrown.name);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = this.#declarationOf(this.checker.getSymbolAtLocation(node.expression));
      const target =
        called && ts.isClassDeclaration(called) ? called.members.find(ts.isConstructorDeclaration) : called;
      if (target) for (const name of this.#thrownBy(target)) found.add(name);
    }
    ts.forEachChild(node, (child) => this.#collect(child, found));
  }
}

/** @param {ts.Node} node */
const isReturned = ({ parent }) => ts.isReturnStatement(parent) || ts.isArrowFunction(parent);

/** @param {ts.Node} declaration @returns {ts.Node | undefined} */
function bodyOf(declaration) {
  if (ts.isVariableDeclaration(declaration)) {
    const { initializer } = declaration;
    return initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? initializer.body
      : undefined;
  }
  return ts.isFunctionLike(declaration) && 'body' in declaration ? declaration.body : undefined;
}

/** @param {ts.Node} declaration */
const documentedNode = (declaration) =>
  ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
