import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { done } from './qualifiers.ts'

/** Targets and inputs for the commands of rehearsals. */

/** @param of a tournament that nothing else is done with */
export async function rehearsalCommands(api: Harness, organiser: Caller, of: MadeTournament) {
  const make = async (name: string) =>
    (await done(api.post(`/tournaments/${of.guid}/rehearsals`, organiser, { name }))).body.guid as string
  const [kept, deleted] = [await make('Dry run'), await make('Another')]
  await done(api.patch(`/tournaments/${kept}`, organiser, { summary: 'Tried' }))
  // Nothing was changed since, whatever happens before it is sent.
  const expectedUpdatedAt = new Date(Date.now() + 3_600_000).toISOString()
  return {
    'rehearsals.create': { in: of, body: { name: 'Third' } },
    'rehearsals.setFaults': { in: of, at: { rehearsal: kept }, body: { chat: { answer: 'limit', retryAfter: 30 } } },
    'rehearsals.rename': { in: of, at: { rehearsal: kept }, body: { name: 'Dress rehearsal' } },
    'rehearsals.play': { in: of, at: { rehearsal: kept }, body: { count: 1 } },
    'rehearsals.apply': { in: of, at: { rehearsal: kept }, body: { fields: ['settings/summary'], expectedUpdatedAt } },
    'rehearsals.setClock': { in: of, at: { rehearsal: kept }, body: { paused: false, rate: 60 } },
    'rehearsals.delete': { in: of, at: { rehearsal: deleted } },
  }
}
