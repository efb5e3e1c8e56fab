import { escaped } from '../vocabulary/escape-html.js';

/**
 * Renders an HTML page with inline style. The page loads only files that `body` names and the page's
 * Content-Security-Policy allows.
 */
export const document = ({
  title,
  nonce,
  style,
  body,
}: Record<'title' | 'nonce' | 'style' | 'body', string>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Applicant tracking service: ${escaped(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">body { margin: 0; font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-size: 15px }
${style}</style>
</head>
<body>
${body}
</body>
</html>
`;

/** Renders one line of text as HTML. Text between backticks becomes a `<code>` element. */
export const withCode = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
