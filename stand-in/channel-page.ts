import { Html, html } from '../src/core/html.ts'
import type { Answer } from '../src/core/operation.ts'
import { renderMarkdown } from '../src/core/text.ts'
import { formatInstant } from '../src/core/time.ts'
import { page } from '../src/infra/http/html-page.ts'
import type { Message } from './channels.ts'

/** The page of a channel of the chat platform for a local installation: its messages, the newest last. */
export function channelPage(messages: readonly Message[], mediaUrl: string): Answer {
  const rendered = renderedWith(mediaUrl)
  const main = html`<p class="note">This installation runs on your own machine, so this page takes the place of the chat platform’s channel. It is forgotten when the service stops.</p>
${messages.length === 0 ? html`<p>Nothing stands here yet.</p>` : messages.map((message) => messageSection(message, rendered))}`
  return page({ title: 'Chat channel', main, pictures: mediaUrl })
}

type Rendered = (markdown: string) => Html

function messageSection({ content, embeds, madeAt, editedAt }: Message, rendered: Rendered): Html {
  const edited = editedAt === null ? '' : ', edited'
  return html`<article>
<p class="note">${formatInstant(madeAt)}${edited}</p>
${rendered(content)}
${embeds.map((embed) => embedSection(embed, rendered))}</article>
<hr>
`
}

function embedSection({ title = '', description = '', fields }: Message['embeds'][number], rendered: Rendered): Html {
  const rows = fields.map(
    ({ name, value }) => html`<dt>${name}</dt>
<dd>${rendered(value)}</dd>
`,
  )
  return html`<blockquote>
${title === '' ? html`` : html`<p><strong>${title}</strong></p>`}
${rendered(description)}
<dl>
${rows}</dl>
</blockquote>
`
}

/** The chat platform keeps the line breaks of the text. */
function renderedWith(mediaUrl: string): Rendered {
  return (markdown) => new Html(renderMarkdown(markdown.replaceAll('\n', '  \n'), mediaUrl))
}
