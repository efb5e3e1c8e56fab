// @ts-check
/**
 * Makes an element. Attributes that are false or undefined are left out.
 * @param {string} tag
 * @param {Record<string, string | boolean | undefined>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== undefined) made.setAttribute(name, value === true ? '' : value);
  made.append(...children);
  return made;
}
