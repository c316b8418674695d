// Finds elements by selector and type, and creates new ones.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the first element that matches, or null if there is none or it has another type.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export function find(root, selector, type) {
  const element = root.querySelector(selector);
  return element instanceof type ? element : null;
}

/**
 * Return the first element that matches. Throw an error if there is none or it has another type.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function need(root, selector, type) {
  const element = find(root, selector, type);
  if (!element) {
    throw new ReferenceError(selector);
  }
  return element;
}

/**
 * Return all elements that match and have the type.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T[]}
 */
export function findAll(root, selector, type) {
  const found = [];
  for (const element of root.querySelectorAll(selector)) {
    if (element instanceof type) {
      found.push(element);
    }
  }
  return found;
}

/**
 * Return the event target or its closest ancestor that matches, or null if there is none.
 * @template {Element} T
 * @param {EventTarget | null} target
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export function closest(target, selector, type) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof type ? element : null;
}

/**
 * Tell whether an event target matches a selector.
 * @param {EventTarget | null} target
 * @param {string} selector
 */
export const matches = (target, selector) => target instanceof Element && target.matches(selector);

/**
 * Create an HTML element with properties and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * Create an SVG element with attributes and children. Attributes that are undefined or false, and
 * children that are undefined or empty, are left out.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | undefined>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== undefined && child !== "") {
      element.append(child);
    }
  }
  return element;
}

/**
 * Set data attributes of an element, and return it.
 * @template {HTMLElement | SVGElement} T
 * @param {T} element
 * @param {Record<string, string>} data
 * @returns {T}
 */
export function withData(element, data) {
  Object.assign(element.dataset, data);
  return element;
}
