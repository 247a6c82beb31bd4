import type { NewImport } from '../../data/generated.ts'
import type { Rights } from './reads.ts'

/** What is imported, and how. */

export const kinds = ['file', 'link', 'lines', 'pool'] as const
export type Kind = (typeof kinds)[number]
type Difficulty = NonNullable<NewImport['difficulty']>

export const difficulties: readonly Difficulty[] = ['ask', 'highest', 'Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus']

export interface Values {
  readonly kind: Kind
  readonly link: string
  readonly lines: string
  readonly from: string
  readonly difficulty: Difficulty
  readonly flair: string
  readonly reason: string
}

export const nothing: Values = { kind: 'file', link: '', lines: '', from: '', difficulty: 'ask', flair: '', reason: '' }

export const isGiven = ({ kind, link, lines, from }: Values, file: File | null) =>
  ({ file: file !== null, link: link.trim() !== '', lines: lines.trim() !== '', pool: from !== '' })[kind]

export function bodyOf(
  { kind, link, lines, from, difficulty, flair, reason }: Values,
  file: File | null,
  { isDry, rights }: { readonly isDry: boolean; readonly rights: Rights },
): NewImport | FormData | null {
  const options = {
    difficulty,
    dryRun: isDry,
    ...(flair !== '' && { flairGuid: flair }),
    ...(rights.needsReason && { reason }),
  }
  if (kind !== 'file') {
    const source = {
      link: { kind: 'playlist', url: link.trim() },
      lines: {
        kind: 'text',
        lines: lines
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      },
      pool: { kind: 'pool', poolGuid: from },
    } as const
    return { source: source[kind], ...options }
  }
  if (file === null) return null
  const body = new FormData()
  // Parts that come before the file are known when it is read.
  for (const [name, value] of Object.entries(options)) body.append(name, String(value))
  body.append('file', file, file.name)
  return body
}
