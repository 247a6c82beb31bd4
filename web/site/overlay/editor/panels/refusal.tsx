import { type ReactNode, useId, useState } from 'react'
import { words } from '../../../data/words.ts'
import type { Fault } from '../draft/conforms.ts'
import { useEditing } from '../editing.ts'
import styles from './properties.module.css'

/** Why a step was taken back, at the field that made it, until another step is made. */

/** What fields show for 1, by the name of the member, where it is entered as a percentage. */
export const shownForOne = { opacity: 100, at: 100 } as const

export function reasonOf({ why, member, least, most }: Fault): string {
  const times = Object.entries(shownForOne).find(([name]) => name === member)?.[1] ?? 1
  const scaled = (limit: number | undefined) => (limit === undefined ? '' : limit * (why === 'range' ? times : 1))
  return words(`editor.fault-${why}`, { least: scaled(least), most: scaled(most), member })
}

interface Refusable<Args extends readonly unknown[]> {
  readonly commit: (...args: Args) => boolean
  /** What the field says of itself. */
  readonly field: { readonly 'aria-invalid'?: true; readonly 'aria-describedby'?: string }
  readonly refusal: ReactNode
}

export function useRefusal<Args extends readonly unknown[]>(commit: (...args: Args) => boolean): Refusable<Args> {
  const { draft, state } = useEditing()
  const id = useId()
  const [fault, setFault] = useState<Fault | null>(null)
  const isRefused = fault !== null && state.fault === fault
  return {
    commit: (...args) => {
      const isTaken = commit(...args)
      setFault(isTaken ? null : draft.get().fault)
      return isTaken
    },
    field: isRefused ? { 'aria-invalid': true, 'aria-describedby': id } : {},
    refusal: isRefused && (
      <p id={id} className={styles.refusal}>
        {words('editor.refused', { why: reasonOf(fault) })}
      </p>
    ),
  }
}
