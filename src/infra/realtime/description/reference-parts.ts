import type { TObject, TSchema } from 'typebox'
import { Html, html } from '../../../core/html.ts'

/** What the sections of the reference are put together from. */

/** A text of ours, in which backticks enclose what is code. */
export function prose(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
  return html`${parts}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** Where there is no room for the whole, it breaks between segments. */
export function path(text: string): Html {
  return html`<code>${text.split('/').map((part, index) => html`${index === 0 ? '' : new Html('/<wbr>')}${part}`)}</code>`
}

export function block(text: string): Html {
  return html`<pre><code>${text}</code></pre>
`
}

export function codes(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`)}`
}

/** Terms with what they mean. */
export function terms(entries: readonly (readonly [term: Html, meaning: Html])[]): Html {
  if (entries.length === 0) return html``
  return html`<dl>
${entries.map(([term, meaning]) => html`<dt>${term}</dt><dd>${meaning}</dd>`)}</dl>
`
}

export function table(head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first, ...rest]) => html`<tr><th scope="row">${first ?? ''}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>
`
}

type Node = TSchema & {
  readonly title?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly anyOf?: readonly Node[]
}

/** The members of an object, with their types. */
export function members(schema: TObject): Html {
  const required = new Set<string>(schema.required ?? [])
  return terms(
    Object.entries(schema.properties).map(([name, member]) => {
      const { description } = member as Node
      const mark = required.has(name) ? '' : html` <span class="mark">optional</span>`
      const words = description === undefined ? html`${typeOf(member)}` : html`${typeOf(member)}. ${prose(description)}`
      return [html`${code(name)}${mark}`, words] as const
    }),
  )
}

function typeOf(schema: TSchema): Html {
  const node = schema as Node
  if (node.title === 'Fact') return html`<a href="#facts">fact</a>`
  if (node.const !== undefined) return code(JSON.stringify(node.const))
  if (node.enum !== undefined) return codes(node.enum.map((value) => JSON.stringify(value)))
  if (node.anyOf !== undefined) return joined(node.anyOf.map(typeOf))
  if (node.type === 'array') return html`list of ${typeOf(node.items ?? ({} as TSchema))}`
  if (node.type === 'object' && node.properties !== undefined) {
    return html`object of ${codes(Object.keys(node.properties))}`
  }
  return html`${[node.type ?? 'anything'].flat().join(' or ')}`
}

function joined(parts: readonly Html[]): Html {
  const texts = [...new Set(parts.map(({ text }) => text))].map((text) => new Html(text))
  return html`${texts.map((text, index) => html`${index === 0 ? '' : ' or '}${text}`)}`
}

const width = 84

/** JSON in lines that are neither long nor many. */
export function spelled(value: unknown, indent = ''): string {
  const flat = inOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((each) => spelled(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spelled(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}${close}`
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const all = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inOneLine(each)}`)
  return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`
}
