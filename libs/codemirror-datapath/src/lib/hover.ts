import { type Hover } from '@ats/datapath';
import { type EditorView, type Tooltip } from '@codemirror/view';
import { type ExpressionService, serviceOf, type WriteText } from './service.js';

/**
 * Returns the source of a tooltip that explains the name, operator or function under the pointer.
 * @param write writes messages in the language of the reader; English by default
 */
export function hoverExpression(
  service: ExpressionService,
  write: WriteText = String,
): (view: Pick<EditorView, 'state'>, position: number) => Tooltip | null {
  return ({ state }, position) => {
    const found = serviceOf(service).hover(state.doc.toString(), position);
    if (found === undefined) return null;
    return {
      pos: found.offset,
      end: found.offset + found.length,
      above: true,
      create: (view) => ({ dom: explanation(found, write, view.dom.ownerDocument) }),
    };
  };
}

/** Makes the content of the tooltip. It sets all texts as plain text, so that none is read as HTML. */
function explanation({ signature, meaning, label, description, values }: Hover, write: WriteText, document: Document) {
  const dom = document.createElement('div');
  dom.className = 'cm-expression-hover';
  const line = (name: string, text: string | undefined) => {
    if (text === undefined || text === '') return;
    const element = document.createElement(name);
    element.textContent = text;
    dom.append(element);
  };
  line('code', signature);
  line('p', meaning && write(meaning));
  line('p', label);
  line('p', description);
  line('p', values?.join(', '));
  return dom;
}
