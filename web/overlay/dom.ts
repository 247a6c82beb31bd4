/**
 * Functions that build the page. Texts are set as text and styles through the object model: markup is never parsed.
 * (OV1, OV16)
 */

type Child = Node | string | null

/** An element with a class. Strings become text nodes, and null children are left out. */
export function h(tag: string, name = '', ...children: readonly Child[]): HTMLElement {
  const node = document.createElement(tag)
  if (name !== '') node.className = name
  node.append(...children.filter((child) => child !== null))
  return node
}

/** Writes only a changed text, because every write causes a layout. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

/** CSS properties by name; null removes one. */
export type Styles = Readonly<Record<string, string | null>>

const written = new WeakMap<Element, Map<string, string>>()

export function style(node: HTMLElement, styles: Styles): void {
  let known = written.get(node)
  if (known === undefined) {
    known = new Map()
    written.set(node, known)
  }
  for (const [name, value] of Object.entries(styles)) {
    if ((known.get(name) ?? null) === value) continue
    if (value === null) {
      known.delete(name)
      node.style.removeProperty(name)
    } else {
      known.set(name, value)
      node.style.setProperty(name, value)
    }
  }
}

export function toggle(node: Element, name: string, isOn: boolean): void {
  node.classList.toggle(name, isOn)
}

const svgNamespace = 'http://www.w3.org/2000/svg'

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): SVGElement {
  const node = document.createElementNS(svgNamespace, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}
