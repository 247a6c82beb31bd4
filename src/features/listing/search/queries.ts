import type { Db } from '../../../infra/db/database.ts'
import { type Folded, mapQuestion } from '../../maps/archive/rules.ts'
import { foldTexts, listMaps } from '../../maps/archive/store/maps.ts'
import { searchMaps } from '../../maps/archive/store/search.ts'
import { suggestUsers } from '../../people/users/store/search.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { listFoundTeams, listFoundTournaments } from './store/records.ts'
import { findMapsByAll, findTeams, findTournaments } from './store/words.ts'
import { maxFound } from './types.ts'

/** What everybody finds by a text, at most a few of each kind. (additions: Search) */
export async function findAll(db: Db, q: string) {
  const [users, others] = await Promise.all([findUsers(db, q), findByWords(db, q)])
  return { users, ...others }
}

async function findUsers(db: Db, q: string) {
  const guids = await suggestUsers(db, q, maxFound)
  const facts = await listUserFacts(db, guids)
  return guids.flatMap((guid) => facts.get(guid) ?? [])
}

async function findByWords(db: Db, q: string) {
  const folded = await foldTexts(db, { q })
  const words = folded.words ?? []
  if (words.length === 0) return { tournaments: [], teams: [], maps: [] }
  const [tournaments, teams, maps] = await Promise.all([
    findTournaments(db, words).then((guids) => listFoundTournaments(db, guids)),
    findTeams(db, words).then((guids) => listFoundTeams(db, guids)),
    findMaps(db, folded).then((guids) => listMaps(db, guids)),
  ])
  return { tournaments, teams, maps }
}

/** One word is searched for as in the archive; several by fewer statements than there, where there may be more conditions. */
async function findMaps(db: Db, folded: Folded): Promise<readonly string[]> {
  const { words = [] } = folded
  if (words.length > 1) return findMapsByAll(db, words)
  const question = mapQuestion({}, {}, folded)
  const { guids } = await searchMaps(db, { sort: 'newest', ranking: 'a', question, limit: maxFound, after: undefined })
  return guids
}
