import type MarkdownIt from 'markdown-it'
import { lazily, load } from './lazily.ts'

/** The class of Markdown's parsers, loaded with the first text. */
export const parserClass = lazily(() => load('markdown-it') as typeof MarkdownIt)

export type Parser = InstanceType<ReturnType<typeof parserClass>>
