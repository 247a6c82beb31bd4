import { eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { channelEntries } from '../../../streaming/channels/tables.ts'
import { matches } from '../../matches/tables.ts'
import { corrections } from '../../results/tables.ts'
import type { Losses } from '../types.ts'

const guid = sql.placeholder('guid')

const ofBracket = statement('brackets.losses', (orm) => {
  const counted = (condition: unknown) => sql<number>`(count(*) filter (where ${condition}))::int`
  const played = sql`${matches.outcome} is distinct from 'bye'`
  const corrected = sql`select from ${corrections} where ${corrections.bracketGuid} = ${guid} and ${corrections.undoneAt} is null`
  const queued = sql`select from ${channelEntries} join ${matches} queued on queued.guid = ${channelEntries.matchGuid}
    where queued.bracket_guid = ${guid}`
  return orm
    .select({
      matches: counted(played),
      results: counted(sql`${matches.status} = 'completed' and ${played}`),
      running: counted(sql`${matches.status} = 'running'`),
      scheduled: counted(sql`${matches.scheduledAt} is not null`),
      corrections: sql<number>`(select count(*)::int from (${corrected}) corrected)`,
      queued: sql<number>`(select count(*)::int from (${queued}) entries)`,
    })
    .from(matches)
    .where(eq(matches.bracketGuid, guid))
})

/** What is deleted with a bracket. */
export async function countLosses(db: Db, bracketGuid: string): Promise<Losses> {
  const [losses] = await ofBracket(db, { guid: bracketGuid })
  if (losses === undefined) throw new Error('a count has no row')
  return losses
}
