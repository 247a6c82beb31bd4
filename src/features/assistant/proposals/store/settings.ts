import { eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { poolMaps } from '../../../maps/pools/tables.ts'
import { assistantLinks } from '../../assistantLinks/tables.ts'
import { assistantSessions } from '../../assistantSessions/tables.ts'
import { assistantPlays } from '../tables.ts'

/** The settings of a play that come from link, session and pool. */
export interface PlaySettings {
  /** The wait before a proposal without warnings accepts itself, in milliseconds; null for never. (AS20) */
  readonly autoAcceptMs: number | null
  readonly bannedMods: readonly string[]
  /** The modifiers that the pool sets for the map; null for a map of no pool. */
  readonly modifiers: readonly string[] | null
}

const ofPlay = statement('assistant_plays.settings', (orm) =>
  orm
    .select({
      bannedMods: assistantLinks.bannedMods,
      defaults: assistantLinks.defaults,
      autoAccept: assistantSessions.autoAccept,
      modifiers: poolMaps.modifiers,
    })
    .from(assistantPlays)
    .leftJoin(assistantLinks, eq(assistantLinks.tournamentGuid, assistantPlays.tournamentGuid))
    .leftJoin(assistantSessions, eq(assistantSessions.guid, assistantPlays.sessionGuid))
    .leftJoin(poolMaps, sql`${poolMaps.guid} = (${assistantPlays.map} ->> 'poolMapGuid')::uuid`)
    .where(eq(assistantPlays.guid, sql.placeholder('guid'))),
)

export async function readSettings(db: Db, playGuid: string): Promise<PlaySettings> {
  const [row] = await ofPlay(db, { guid: playGuid })
  const { bannedMods = null, defaults = null, autoAccept = null, modifiers = null } = row ?? {}
  const isAutomatic = autoAccept ?? defaults?.autoAccept ?? false
  return {
    autoAcceptMs: isAutomatic ? (defaults?.autoAcceptMs ?? defaultAutoAcceptMs) : null,
    bannedMods: bannedMods ?? [],
    modifiers,
  }
}

/** The default, if the link was deleted while its session is open. */
const defaultAutoAcceptMs = 5_000
