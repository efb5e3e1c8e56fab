import { type IndexedCollection, type KeyPart } from '@ats/datapath';
import { message } from '@ats/message';

const count = (name: string): KeyPart => ({
  name,
  absent: '1',
  check: (text) => (/^[1-9]\d*$/.test(text) ? undefined : { message: message`expected a number that counts from 1` }),
});

/** The collection `formdata.<item>:<section>:<form>`, whose values are related objects. */
export const formData: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, count('section'), count('form')],
};
