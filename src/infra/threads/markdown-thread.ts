import { renderMarkdown } from '../../core/text.ts'
import { answer } from './lasting.ts'

/** The input of the thread that renders Markdown. */
export interface GivenTexts {
  readonly texts: readonly string[]
  readonly mediaOrigin: string
}

answer(({ texts, mediaOrigin }: GivenTexts) => texts.map((text) => renderMarkdown(text, mediaOrigin)))
