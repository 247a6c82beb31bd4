import { randomBytes } from 'node:crypto'
import { conflict } from '../../../core/problem.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'

export const maxRehearsals = 3

/**
 * A tournament has at most 3 rehearsals. (R1)
 * @throws Problem `rehearsal.too_many`
 */
export function checkRoom(count: number): void {
  if (count < maxRehearsals) return
  throw conflict(
    'rehearsal.too_many',
    `A tournament has at most ${maxRehearsals} rehearsals; delete one of them first.`,
  )
}

/**
 * A rehearsal is not rehearsed. (R1)
 * @throws Problem `rehearsal.nested`
 */
export function checkNotNested({ rehearsalOf }: Pick<Tournament, 'rehearsalOf'>): void {
  if (rehearsalOf === null) return
  throw conflict('rehearsal.nested', 'This is a rehearsal itself; make another one of the real tournament.')
}

const keptMs = 14 * 86_400_000

/** A rehearsal is deleted 14 days after its last use, which is the last change of anything in it. (R1) */
export const expiryOf = (lastUsedAt: Date): Date => new Date(lastUsedAt.getTime() + keptMs)

/** The newest last use of a rehearsal that is deleted now. */
export const lastUseOfExpired = (now: Date): Date => new Date(now.getTime() - keptMs)

/** A short id that cannot be guessed. */
export const newShortId = (): string => `rehearsal-${randomBytes(10).toString('hex')}`
