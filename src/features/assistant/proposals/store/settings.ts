import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { poolMaps } from '../../../maps/pools/tables.ts'
import { assistantLinks } from '../../assistantLinks/tables.ts'
import { assistantSessions } from '../../assistantSessions/tables.ts'
import type { Play } from '../types.ts'

/** What link, session and pool say of a play. */
export interface PlaySettings {
  /** In how many milliseconds a proposal without warnings accepts itself; null for never. (AS20) */
  readonly autoAcceptMs: number | null
  readonly bannedMods: readonly string[]
  /** With which the map of the pool is to be played; null where it is none of a pool. */
  readonly modifiers: readonly string[] | null
}

export async function readSettings(db: Db, play: Play): Promise<PlaySettings> {
  const { tournamentGuid, sessionGuid, map } = play
  const [[link], [session], [poolMap]] = await Promise.all([
    db.session.orm
      .select({ bannedMods: assistantLinks.bannedMods, defaults: assistantLinks.defaults })
      .from(assistantLinks)
      .where(eq(assistantLinks.tournamentGuid, tournamentGuid)),
    db.session.orm
      .select({ autoAccept: assistantSessions.autoAccept })
      .from(assistantSessions)
      .where(sql`${assistantSessions.guid} = ${sessionGuid}::uuid`),
    db.session.orm
      .select({ modifiers: poolMaps.modifiers })
      .from(poolMaps)
      .where(sql`${poolMaps.guid} = ${map.poolMapGuid}::uuid`),
  ])
  const isAutomatic = session?.autoAccept ?? link?.defaults.autoAccept ?? false
  return {
    autoAcceptMs: isAutomatic ? (link?.defaults.autoAcceptMs ?? usualAutoAcceptMs) : null,
    bannedMods: link?.bannedMods ?? [],
    modifiers: poolMap?.modifiers ?? null,
  }
}

/** Where the link is gone while its session goes on. */
const usualAutoAcceptMs = 5_000
