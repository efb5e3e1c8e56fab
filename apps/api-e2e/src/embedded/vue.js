import { createClient } from '@ats/client';
import { defineElements } from '@ats/elements';
import { createApp, h, ref } from 'vue';

defineElements();
const { address, token, endpoint } = JSON.parse(document.querySelector('#settings').textContent);
const client = createClient({ baseUrl: address, token });

const Page = {
  setup() {
    const value = ref('');
    const notes = ref([]);
    const note = (text) => notes.value.push(`${text}\n`);
    return () => [
      h('ats-delivery-log', {
        client,
        endpoint,
        onRedeliver: ({ detail }) => note(`redeliver ${detail.id > 0}`),
        onProblem: () => note('problem'),
      }),
      h('ats-expression-editor', {
        client,
        root: 'application',
        value: value.value,
        onInput: ({ target }) => {
          value.value = target.value;
          note(`input ${target.value}`);
        },
        onChange: ({ target }) => note(`change ${target.value}`),
      }),
      h('output', notes.value.join('')),
    ];
  },
};

document.querySelector('output').remove();
createApp(Page).mount('main');
