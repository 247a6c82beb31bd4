import type { Db } from '../../../infra/db/database.ts'
import { readList } from '../../streaming/channels/store.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownRehearsal } from '../rehearsals/rules.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import { differencesOf, guidsIn } from './rules.ts'
import { findLastChange, listBrackets, listMedia } from './store.ts'
import type { Compared, ComparedMedium, Difference } from './types.ts'

export interface Comparison {
  readonly real: Compared
  readonly rehearsal: Compared
  readonly media: readonly ComparedMedium[]
  readonly differences: readonly Difference[]
}

/**
 * Compares a rehearsal with its tournament.
 * @throws Problem `rehearsal.unknown` if it was deleted meanwhile
 */
export async function compare(db: Db, tournament: Tournament, { guid }: Rehearsal): Promise<Comparison> {
  const found = await findTournamentFor(db, guid, null)
  if (found === undefined) throw unknownRehearsal()
  const [real, rehearsal] = await Promise.all([tournament, found.tournament].map((each) => read(db, each)))
  if (real === undefined || rehearsal === undefined) throw new Error('a tournament was not read')
  const named = [...guidsIn(real.tournament), ...guidsIn(rehearsal.tournament)]
  const media = await listMedia(db, named, tournament.guid)
  return { real, rehearsal, media, differences: differencesOf(real, rehearsal, media) }
}

async function read(db: Db, tournament: Tournament): Promise<Compared> {
  const [{ channels }, brackets] = await Promise.all([readList(db, tournament.guid), listBrackets(db, tournament.guid)])
  return { tournament, channels, brackets }
}

/** Reads the differences, with the instant of the last change in the real tournament that they take into account. */
export async function readDifferences(db: Db, { guid }: Tournament, rehearsal: Rehearsal) {
  // What is changed while the rest is read counts as changed since.
  const changedAt = await findLastChange(db, guid)
  const found = await findTournamentFor(db, guid, null)
  if (found === undefined) throw unknownRehearsal()
  const { differences } = await compare(db, found.tournament, rehearsal)
  return { differences, updatedAt: changedAt ?? found.tournament.updatedAt }
}
