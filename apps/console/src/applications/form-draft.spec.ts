import { expect, it } from '@jest/globals';
import { draftOf } from './form-draft.js';

it('the draft of a form has a question for each object in the items of its sections', () => {
  const options = [{ value: 'a' }, { value: 'b', label: 'B' }];
  const sections = [
    { name: 'One', items: [{ id: 4, key: 'x', label: 'X', type: 'single_select', options }, {}, 1] },
    {},
  ];
  const empty = { key: '', label: '', type: '', required: false, visible_if: null, options: [] };
  expect(draftOf(sections).sections).toEqual([
    {
      name: 'One',
      items: [
        {
          ...empty,
          id: 4,
          key: 'x',
          label: 'X',
          type: 'single_select',
          options: [
            { value: 'a', label: 'a' },
            { value: 'b', label: 'B' },
          ],
        },
        { ...empty, id: -1 },
      ],
    },
    { name: '', items: [] },
  ]);
  expect(draftOf('no list').sections).toEqual([]);
});
