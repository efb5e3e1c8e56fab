import { message } from '@ats/message';
import { type IndexedCollection, type KeyPart } from '../src/index.js';

const MAX_INSTANCE = 2_147_483_647;

const instance = (name: string): KeyPart => ({
  name,
  absent: '1',
  check: (text) =>
    /^[1-9]\d*$/.test(text) && Number(text) <= MAX_INSTANCE
      ? undefined
      : { message: message`a section or form instance is a whole number that counts from 1`, expected: ['number'] },
});

/** A collection with a key of three parts and texts of its own: `formdata.<item>:<section>:<form>`. */
export const formData: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, instance('section'), instance('form')],
  keyName: 'form item',
  texts: {
    missingKey: (found) => message`expected the id of a form item but found ${found}`,
    noCollection: (objectType) => message`${objectType} has no form data`,
    unknownKey: (objectType, item) => message`${objectType} has no form item "${item}"`,
    digitHint: message`write a form item as ${'"formdata.<item>"'}`,
  },
};

/** The syntax of expressions with the collection `formdata`. */
export const syntax = { collections: [formData] };
