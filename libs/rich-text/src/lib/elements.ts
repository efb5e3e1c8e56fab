/** The allowed elements with their allowed attributes. Each attribute has a pattern for its value. */
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

/** Names of the allowed elements. */
export const RICH_TEXT_ELEMENTS: readonly string[] = Object.keys(ALLOWED);

/**
 * The value of `rel` in every link. The linked site gets no referrer, no access to the page with the link, and no
 * better search ranking.
 */
export const LINK_REL = 'noopener noreferrer nofollow';

/** Block elements that become `div`. Otherwise their text would run into the text around them. */
export const BLOCKS =
  'address article aside center details fieldset figcaption figure footer form header legend main nav section summary'.split(
    ' ',
  );

/** Elements that are removed together with their content, because readers must not see this content. */
export const WITHOUT_CONTENT =
  'script style template noscript iframe noembed noframes object applet svg math title textarea select option xmp audio video canvas'.split(
    ' ',
  );
