import { address } from '../../data/api.ts'
import type { State } from '../said.ts'

/** What is written: a new update, or another text of one. */

export type Card = State

export interface Draft {
  readonly title: string
  readonly content: string
  readonly changes: readonly Card[]
  readonly sendToChat: boolean
}

export const empty: Draft = { title: '', content: '', changes: [], sendToChat: false }

export const maxContent = 16_000
export const maxTitle = 120
export const maxCards = 12

/** The list that pages show, with where the messages of each in the chat stand. */
export const listAddress = (tournament: string) =>
  address('/tournaments/{tournament}/updates', { tournament }, { include: 'html', limit: 25 })

/**
 * The GUID of the update that is being written. It is the same until it was published, through a reload too: what was sent
 * twice because an answer was lost is published once.
 */
export function guidOf(key: string): string {
  const at = `downbeat.update.${key}`
  const kept = sessionStorage.getItem(at)
  if (kept !== null) return kept
  const made = crypto.randomUUID()
  sessionStorage.setItem(at, made)
  return made
}

export const dropGuid = (key: string) => sessionStorage.removeItem(`downbeat.update.${key}`)
