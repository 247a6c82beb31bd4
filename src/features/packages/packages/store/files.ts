import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { poolCovers, pools } from '../../../maps/pools/tables.ts'
import type { Asked } from './kind.ts'

export interface Cover {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly picture: Buffer
}

/** The covers of a tournament's pools, one in memory at a time. It needs a snapshot. */
export async function* readCovers(db: Db, { tournament, variant }: Asked): AsyncIterable<Cover> {
  if (variant === 'anonymised') return
  const isShown = variant === 'public' ? sql`${pools.status} <> 'draft'` : sql`true`
  const { orm, client } = db.session
  await orm.execute(sql`declare covers no scroll cursor for
    select ${poolCovers.mediaType} as "mediaType", ${poolCovers.picture} as picture from ${poolCovers}
    join ${pools} on ${pools.guid} = ${poolCovers.poolGuid} where ${pools.tournamentGuid} = ${tournament} and ${isShown}`)
  for (;;) {
    const { rows } = await client.query<Cover>('fetch 1 from covers')
    const [cover] = rows
    if (cover === undefined) break
    yield cover
  }
  await client.query('close covers')
}
