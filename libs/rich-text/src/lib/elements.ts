/** What stays of HTML: each element with its attributes, and what the value of such an attribute must look like. */
export const ALLOWED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...plainElements('p div br hr h1 h2 h3 h4 h5 h6'),
  ...plainElements('ul li dl dt dd'),
  ol: { start: /^\d{1,5}$/ },
  ...plainElements('b strong i em u s sub sup small mark'),
  ...plainElements('blockquote code pre'),
  a: { href: /^(?:https?:\/\/|mailto:)/i },
  ...plainElements('table caption thead tbody tfoot tr'),
  th: { colspan: /^[1-9]\d?$/, rowspan: /^[1-9]\d?$/ },
  td: { colspan: /^[1-9]\d?$/, rowspan: /^[1-9]\d?$/ },
};

function plainElements(names: string): Record<string, Readonly<Record<string, RegExp>>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, {}]));
}

/** Names of the elements that stay. */
export const RICH_TEXT_ELEMENTS: readonly string[] = Object.keys(ALLOWED);

/** Set on every link: what it leads to learns nothing of the page, gets no hold of it and no credit from it. */
export const LINK_REL = 'noopener noreferrer nofollow';

/** Blocks of a page: their text must not run into its neighbours', so they become `div`. */
export const BLOCKS =
  'address article aside center details fieldset figcaption figure footer form header legend main nav section summary'.split(
    ' ',
  );

/** Gone with all that is in them: it is no text for people. */
export const WITHOUT_CONTENT =
  'script style template noscript iframe noembed noframes object applet svg math title textarea select option xmp audio video canvas'.split(
    ' ',
  );
