import { Type } from 'typebox'
import { listEntries, readWords } from './list.ts'
import { nullable } from './schema.ts'

/** Reads of records with Markdown, which answer it as HTML, too, where `include` asks for that. (D36) */

export const HtmlQuery = {
  include: Type.Optional(
    Type.String({
      maxLength: 100,
      description: '`html` answers the texts in Markdown rendered, too.',
      examples: ['html'],
    }),
  ),
}

export const htmlProblems = { 'include.invalid': 400 } as const

/**
 * Whether the rendered texts are asked for.
 * @throws Problem `include.invalid`
 */
export function readHtmlInclude(text: string | undefined): boolean {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  return readWords(named, ['html'], 'include', 'include.invalid').length > 0
}

export const aboutHtml =
  'HTML that is safe to insert into a page: without scripts, styles, classes and ids; links have `rel="nofollow ugc noopener noreferrer"`, and pictures come from this service alone.'

/** The description of a record as HTML, which only the record's own read answers. */
export const RenderedDescription = Type.Object(
  {
    description: nullable(
      Type.String({ examples: ['<p>Three maps <strong>each</strong>.</p>\n'] }),
      'null where the text is null.',
    ),
  },
  {
    title: 'RenderedDescription',
    description: `In the record’s own read, with \`include=html\`: the description as ${aboutHtml}`,
  },
)

/** Renders Markdown; the line is the GUID of the record that the texts belong to. */
interface Markdown {
  render(texts: readonly (string | null)[], line: string): Promise<(string | null)[]>
}

/** What is added to a record with a description; nothing unless `include` asks for it. */
export async function htmlOf(
  markdown: Markdown,
  include: string | undefined,
  { guid, description }: { readonly guid: string; readonly description: string | null },
): Promise<{ readonly html?: { readonly description: string | null } }> {
  if (!readHtmlInclude(include)) return {}
  const [html = null] = await markdown.render([description], guid)
  return { html: { description: html } }
}
