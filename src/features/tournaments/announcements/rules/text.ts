/** Names in the Markdown of the chat platform. */

/** Between two characters that would mean something together, and invisible. */
const gap = '\u200b'

/**
 * A name as plain text: no markup, no mention, no link, no form of the chat platform. Mentions are forbidden in every
 * message besides; this keeps them from being shown as such. (additions: The chat channel tells what happens)
 */
export function escaped(name: string): string {
  return name
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/@/g, `@${gap}`)
    .replace(/:\/\//g, `:${gap}//`)
    .replace(/[\\*_~`|[\]<>]/g, '\\$&')
    .replace(/^[#\-+]|^\d+(?=[.)])/, (mark) => (/\d/.test(mark) ? `${mark}${gap}` : `\\${mark}`))
}

/** An instant, which the chat shows to each reader in their zone. */
export function timeOf(instant: Date, style: 'f' | 't' | 'R' = 'f'): string {
  return `<t:${Math.floor(instant.getTime() / 1_000)}:${style}>`
}

/** The chat platform's limit of a message, in UTF-16 code units. */
export const maxCharacters = 2_000

/** A message of several lines, in versions from the most to the least detailed. */
export interface Versions {
  readonly heading: string
  /** The lines of each version. */
  readonly versions: readonly (readonly string[])[]
  /** The last part, below the lines; empty for nothing. */
  readonly footer?: string
}

/**
 * The most detailed version that fits into one message. If none does, the last lines of the shortest are left out and
 * counted: whatever happens at once is one message. (additions: The chat channel tells what happens)
 */
export function fitted({ heading, versions, footer = '' }: Versions, more: (left: number) => string): string {
  const textOf = (lines: readonly string[]) => [heading, ...lines, footer].filter((line) => line !== '').join('\n')
  const whole = versions.map(textOf).find((text) => text.length <= maxCharacters)
  if (whole !== undefined) return whole
  const lines = versions.at(-1) ?? []
  for (let kept = lines.length - 1; kept > 0; kept--) {
    const text = textOf([...lines.slice(0, kept), more(lines.length - kept)])
    if (text.length <= maxCharacters) return text
  }
  return heading.slice(0, maxCharacters)
}
