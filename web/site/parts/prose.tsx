import { trustedHtml } from '../data/policy.ts'

/** Rendered Markdown of the service, the only markup that is inserted. (W5) */

interface Props {
  /** A text that the service has rendered and sanitised. */
  readonly html: string
  /** The level of its highest headings, below that of its part of the page. */
  readonly level?: 2 | 3 | 5
}

const lowestLevel = 6

/**
 * The text with its headings below those of the page, and none of them two levels below the one before it: people write
 * headings by their looks.
 */
function within(html: string, level: number): string {
  const own = [...html.matchAll(/<h([1-6])>/g)].map(([, each]) => Number(each))
  const levels = [...new Set(own)].toSorted()
  let last = level - 1
  return html.replace(/<(\/?)h([1-6])>/g, (_, close: string, each: string) => {
    if (close === '') last = Math.min(level + levels.indexOf(Number(each)), last + 1, lowestLevel)
    return `<${close}h${last}>`
  })
}

export function Prose({ html, level = 3 }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the service has sanitised it, and the policy takes only this
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: trustedHtml(within(html, level)) }} />
}
