import type { Db } from '../../../infra/db/database.ts'
import { readBoard } from '../../brackets/qualifiers/queries.ts'
import { findQualifier, listMaps } from '../../brackets/qualifiers/store/qualifiers.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { strongestOf } from './rules.ts'
import { listRanks, listTakingPart } from './store.ts'
import type { Rehearsal } from './types.ts'
import { rehearsalView } from './views.ts'

/** GUIDs of the teams of a new rehearsal that are told apart by the qualifier or their ranks. (R4) */
export async function readStrongest(db: Db, rehearsal: string): Promise<readonly string[]> {
  const qualifier = await findQualifier(db, rehearsal)
  const rows =
    qualifier === undefined ? [] : (await readBoard(db, qualifier, await listMaps(db, rehearsal))).standings.teams
  const places = new Map(rows.map(({ entrant, rank }) => [entrant, rank]))
  return strongestOf(await listTakingPart(db, rehearsal), places, await listRanks(db, rehearsal))
}

export async function viewsOf(db: Db, rehearsals: readonly Rehearsal[]) {
  const people = await listUserFacts(
    db,
    rehearsals.map(({ createdBy }) => createdBy),
  )
  return rehearsals.flatMap((rehearsal) => {
    const by = people.get(rehearsal.createdBy)
    return by === undefined ? [] : [rehearsalView(rehearsal, by)]
  })
}

export async function viewOf(db: Db, rehearsal: Rehearsal) {
  const [view] = await viewsOf(db, [rehearsal])
  if (view === undefined) throw new Error('the maker of a rehearsal is in no row')
  return view
}
