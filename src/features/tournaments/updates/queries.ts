import type { ChatMessage } from '../../../infra/clients/chat-webhooks.ts'
import type { Services } from '../../../services.ts'
import { readContent } from './rules/content.ts'
import { messagesOf } from './rules/message.ts'
import type { Content, Update } from './types.ts'

type Markdown = Services['markdown']

/** The contents of updates of one tournament as HTML, in the order of the updates. (D36) */
export async function renderContents(
  markdown: Markdown,
  tournamentGuid: string,
  updates: readonly Pick<Update, 'content'>[],
): Promise<readonly { readonly content: string }[]> {
  const texts = updates.map(({ content }) => content)
  return (await markdown.render(texts, tournamentGuid)).map((content) => ({ content: content ?? '' }))
}

export interface Preview {
  readonly html: { readonly content: string }
  readonly messages: readonly ChatMessage[]
}

/**
 * An update as it would be shown on a page and sent to the chat. It passes the checks of a publication, so that the
 * messages are those that the delivery would send. (D33)
 * @throws Problem `update.content_empty`, `update.changes_invalid`
 */
export async function previewUpdate(markdown: Markdown, tournamentGuid: string, written: Content): Promise<Preview> {
  const update = readContent(written)
  const [html = { content: '' }] = await renderContents(markdown, tournamentGuid, [update])
  return { html, messages: messagesOf(update) }
}
