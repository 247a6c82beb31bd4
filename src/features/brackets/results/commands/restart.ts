import { settle } from '../../../../engine/progress.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { planMatches, stateOf, withdrawnOf } from '../../brackets/rules/plan.ts'
import { listBrackets, listEntrants, updateBracket } from '../../brackets/store/brackets.ts'
import type { Bracket } from '../../brackets/types.ts'
import { played } from '../../matches/rules.ts'
import { advanceMatches, deleteMatches, forgetPlay, listMatchesOfBracket } from '../../matches/store/matches.ts'
import { deleteCorrections } from '../store.ts'

/**
 * Takes back all results of a tournament that has no readers yet, so that no event is needed. Teams keep their places and
 * matches their numbers and times; Swiss rounds after the first are gone. A withdrawn team stays out. (R1)
 */
export async function restartBrackets(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  await deleteCorrections(tx, tournamentGuid)
  for (const bracket of await listBrackets(tx, tournamentGuid)) await restart(tx, bracket, now)
  await forgetPlay(tx, tournamentGuid)
}

async function restart(tx: Tx, bracket: Bracket, now: Date): Promise<void> {
  const { guid, format, settings } = bracket
  const [entrants, records] = [await listEntrants(tx, guid), await listMatchesOfBracket(tx, guid)]
  const [first] = records
  if (first === undefined) return
  // The tree depends on the number of entrants alone; `settle` seats the teams by their slots.
  const { matches } = planMatches(format, entrants, settings)
  const settled = settle({ entrants, matches }, { withdrawn: withdrawnOf(entrants) })
  const fresh = new Map(settled.map((match) => [match.number + first.number - 1, match]))
  const kept = records.flatMap((record) => {
    const match = fresh.get(record.number)
    return match === undefined ? [] : [played({ ...record, startedAt: null, completedAt: null }, match, now)]
  })
  await deleteMatches(
    tx,
    records.filter(({ number }) => !fresh.has(number)).map((record) => record.guid),
  )
  await advanceMatches(tx, kept, now)
  const roundsMade = format === 'swiss' ? 1 : 0
  await updateBracket(tx, guid, { roundsMade, ...stateOf({ ...bracket, roundsMade }, entrants, settled) }, now)
}
