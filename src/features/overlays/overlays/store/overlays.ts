import { asc, eq, sql } from 'drizzle-orm'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { overlayEditors, overlays } from '../tables.ts'
import type { Overlay } from '../types.ts'

/** With their editors, in the order in which these were added. */
const columns = {
  guid: overlays.guid,
  tournamentGuid: overlays.tournamentGuid,
  name: overlays.name,
  access: overlays.access,
  editors: sql<string[]>`array(
    select ${overlayEditors.userGuid} from ${overlayEditors}
    where ${overlayEditors.overlayGuid} = ${overlays.guid} order by ${overlayEditors.addedAt}, ${overlayEditors.userGuid}
  )`,
  createdAt: overlays.createdAt,
  updatedAt: overlays.updatedAt,
}

const found = (orm: Orm) => orm.select(columns).from(overlays)

const byGuid = statement('overlays.by_guid', (orm) => found(orm).where(eq(overlays.guid, sql.placeholder('guid'))))

export async function findOverlay(db: Db, guid: string): Promise<Overlay | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const byTournament = statement('overlays.by_tournament', (orm) =>
  found(orm)
    .where(eq(overlays.tournamentGuid, sql.placeholder('tournament')))
    .orderBy(asc(overlays.createdAt), asc(overlays.guid)),
)

/** In the order in which they were made: there are few of a tournament. */
export function listOverlays(db: Db, tournament: string): Promise<Overlay[]> {
  return byTournament(db, { tournament })
}
