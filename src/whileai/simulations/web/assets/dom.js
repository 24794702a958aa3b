// Elements and foreign text. Text reaches the page through text nodes only.

const find = (selector, within = document) => within.querySelector(selector);
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const stored = {
  get(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // no storage for this file: nothing was kept
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
      return true;
    } catch {
      return false;
    }
  },
};

function codeOf(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// Text as nodes, each control or bidirectional character a box with its code point.
function shownText(text) {
  const nodes = document.createDocumentFragment();
  let from = 0;
  for (const found of text.matchAll(unseen)) {
    if (found.index > from) nodes.append(text.slice(from, found.index));
    nodes.append(element("span", { class: "control" }, codeOf(found[0])));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.append(text.slice(from));
  return nodes;
}

// The same as a string, for attributes, charts and one-line places.
const plainText = (text) => String(text ?? "").replace(unseen, (character) => `⟨${codeOf(character)}⟩`);
