import type { Rehearsal } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Known } from '../../data/writes.ts'

/** The reads of rehearsals, and what a change of one does to them. */

export const rehearsalsAddress = (tournament: string) => address('/tournaments/{tournament}/rehearsals', { tournament })

export const rehearsalAddress = (tournament: string, rehearsal: string) =>
  address('/tournaments/{tournament}/rehearsals/{rehearsal}', { tournament, rehearsal })

/** Shows a rehearsal with these members, on its page and in the list. */
export function showRehearsal(
  known: Known,
  { guid, of }: Pick<Rehearsal, 'guid' | 'of'>,
  members: Partial<Rehearsal>,
): void {
  known.change(rehearsalAddress(of, guid), (before) => ({ ...before, ...members }))
  known.change(rehearsalsAddress(of), ({ rehearsals }) => ({
    rehearsals: rehearsals.map((each) => (each.guid === guid ? { ...each, ...members } : each)),
  }))
}
