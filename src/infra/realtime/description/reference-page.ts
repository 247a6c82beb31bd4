import { Html, html } from '../../../core/html.ts'
import type { RealtimeApi } from './asyncapi.ts'
import { type Section, sectionsOf } from './reference.ts'
import { style } from './reference-style.ts'

/** The page of the reference: no script, one style, readable without it and on a phone. */

export function referencePage(api: RealtimeApi): string {
  const sections = sectionsOf(api)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Real time · Downbeat</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>Real time</h1>
<p>Follow tournaments as they happen. What reads of the <a href="/api/docs/">REST interface</a> answer can be held as live copies: you get each once as a whole, and then its changes, within a fraction of a second.</p>
<p>For machines, the same stands in <a href="/api/asyncapi.json">an AsyncAPI description</a>.</p>
</header>
<nav aria-label="Contents">
<ul>
${sections.map(contentsEntry)}</ul>
</nav>
<main>
${sections.map(
  ({ id, title, content }) => html`<section>
<h2 id="${id}">${title}</h2>
${content}</section>
`,
)}</main>
</body>
</html>
`.text
}

function contentsEntry({ id, title, parts = [] }: Section): Html {
  const inner = parts.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>`)
  return html`<li><a href="#${id}">${title}</a>${inner.length === 0 ? '' : html`<ul>${inner}</ul>`}</li>
`
}
