import { defineElements } from '@ats/elements';

defineElements();
const { address, token, endpoint } = JSON.parse(document.querySelector('#settings').textContent);

const log = document.createElement('ats-delivery-log');
const editor = document.createElement('ats-expression-editor');
document.querySelector('main').append(log, editor);
// The properties are set after the elements are in the page, as scripts of plain pages do.
for (const element of [log, editor]) Object.assign(element, { address, token });
log.setAttribute('endpoint', endpoint);
editor.setAttribute('root', 'application');
log.addEventListener('redeliver', ({ detail }) => note(`redeliver ${detail.id > 0}`));
log.addEventListener('problem', () => note('problem'));
editor.addEventListener('input', () => note(`input ${editor.value}`));
editor.addEventListener('change', () => note(`change ${editor.value}`));

function note(text) {
  document.querySelector('output').append(`${text}\n`);
}
