import type MarkdownIt from 'markdown-it'
import { lazily, load } from './lazily.ts'

/** The Markdown parser class, loaded when the first text is parsed. */
export const parserClass = lazily(() => load('markdown-it') as typeof MarkdownIt)

export type Parser = InstanceType<ReturnType<typeof parserClass>>
