import { type Call, email, type MakeCall } from './collection-calls.js';
import { type Factories } from './factories.js';
import { formToken, publicPosting } from './public-boards.js';

/** Returns the calls of the routes of public boards, which need no credential. */
export function publicBoardCalls(): Readonly<Record<string, MakeCall>> {
  const board = '/public/v1/boards/{code}';
  const ofPosting = async (make: Factories): Promise<Call> => {
    const { code, posting } = await publicPosting(make);
    return { path: { code, id: posting.id } };
  };
  const application: MakeCall = async (make, example) => {
    const { code, posting } = await publicPosting(make);
    const candidate = { firstname: 'Ada', lastname: 'Lovelace', email: email() };
    return { path: { code, id: posting.id }, body: { ...example, candidate, token: formToken(posting.id) } };
  };
  const upload: MakeCall = async (make) => {
    const { code, posting } = await publicPosting(make);
    const query = `kind=cv&name=cv.json&token=${formToken(posting.id)}`;
    return { path: { code, id: posting.id }, query, body: { file: 'text' } };
  };
  return {
    [`GET ${board}/postings`]: ofPosting,
    [`GET ${board}/postings/{id}`]: ofPosting,
    [`GET ${board}/postings/{id}/form`]: ofPosting,
    [`POST ${board}/postings/{id}/applications`]: application,
    [`POST ${board}/postings/{id}/documents`]: upload,
    [`GET ${board}/feeds/indeed.xml`]: ofPosting,
    [`GET ${board}/feeds/rss.xml`]: ofPosting,
  };
}
