import { type RequestOptions } from './api-harness.js';

type Body = Readonly<Record<string, unknown>>;

/** Encodes a body in a media type, by default as JSON. */
export function encoded(body: Body, type: string): Pick<RequestOptions, 'body' | 'payload' | 'headers'> {
  if (type === 'multipart/form-data') return multipart(body, type);
  if (type === 'application/x-www-form-urlencoded')
    return {
      payload: new URLSearchParams(body as Record<string, string>).toString(),
      headers: { 'content-type': type },
    };
  return { body, ...(type !== '' && { headers: { 'content-type': type } }) };
}

/** Encodes a body as form data, with a part that contains JSON for each property. */
function multipart(body: Body, type: string): Pick<RequestOptions, 'payload' | 'headers'> {
  const boundary = 'a-boundary';
  const parts = Object.entries(body).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  return {
    payload: `${parts.join('')}--${boundary}--\r\n`,
    headers: { 'content-type': `${type}; boundary=${boundary}` },
  };
}
