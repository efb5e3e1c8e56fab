import { createClient } from '@ats/client';
import { defineElements } from '@ats/elements';
import { createElement, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';

defineElements();
const settings = JSON.parse(document.querySelector('#settings').textContent);

function Page({ address, token, endpoint }) {
  const client = useMemo(() => createClient({ baseUrl: address, token }), [address, token]);
  const [value, setValue] = useState('');
  const [notes, setNotes] = useState([]);
  const note = (text) => setNotes((before) => [...before, `${text}\n`]);
  return [
    createElement('ats-delivery-log', {
      key: 'log',
      client,
      endpoint,
      onredeliver: ({ detail }) => note(`redeliver ${detail.id > 0}`),
      onproblem: () => note('problem'),
    }),
    createElement('ats-expression-editor', {
      key: 'editor',
      client,
      root: 'application',
      value,
      oninput: ({ target }) => {
        setValue(target.value);
        note(`input ${target.value}`);
      },
      onchange: ({ target }) => note(`change ${target.value}`),
    }),
    createElement('output', { key: 'notes' }, notes),
  ];
}

document.querySelector('output').remove();
createRoot(document.querySelector('main')).render(createElement(Page, settings));
