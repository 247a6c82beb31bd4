import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { Rehearsal } from './types.ts'
import { rehearsalView } from './views.ts'

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
