import { and, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { overlayEditors, overlays } from '../../../overlays/overlays/tables.ts'

const edited = statement('media.edited_overlay', (orm) =>
  orm
    .select({ guid: overlays.guid })
    .from(overlayEditors)
    .innerJoin(overlays, eq(overlays.guid, overlayEditors.overlayGuid))
    .where(
      and(
        eq(overlayEditors.userGuid, sql.placeholder('user')),
        eq(overlays.tournamentGuid, sql.placeholder('tournament')),
      ),
    )
    .limit(1),
)

/** Whether a user is an editor of any overlay of a tournament. */
export async function isEditorOfOverlay(db: Db, tournament: string, user: string): Promise<boolean> {
  return (await edited(db, { tournament, user })).length > 0
}
