import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { isHeadPooler } from '../../../tournaments/access/policy.ts'
import { mayThere, readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { poolsTag } from '../events.ts'
import { maySeePool } from '../policy.ts'
import { descriptionColumn, listNamed } from '../store/media.ts'
import { findPool, lockPool, updatePool } from '../store/pools.ts'
import { loggedText } from './pools.ts'

/**
 * The pictures in pools’ descriptions, for the management of media. Users who may change the pool now may remove them.
 */
export const poolMediaFields: readonly MediaField[] = [
  mediaField({
    subject: 'pool',
    field: 'description',
    kept: descriptionColumn,
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor, maySeePool),
    mayDetach: async (db, actor, guid) => {
      const pool = await findPool(db, guid)
      if (pool === undefined || pool.status === 'archived') return false
      return mayThere(
        db,
        actor,
        pool.tournamentGuid,
        (here, { status }) => isHeadPooler(here) && status !== 'cancelled',
      )
    },
    lock: lockPool,
    update: async (tx, pool, { guid, actorGuid, without, now }) => {
      const description = without(pool.description)
      const isShown = pool.status !== 'draft'
      await updatePool(tx, guid, { description, ...(isShown ? { shownAt: now } : {}) }, now)
      const common = {
        subject: guid,
        tournament: pool.tournamentGuid,
        actor: actorGuid,
        before: { description: loggedText(pool.description) },
        after: { description: loggedText(description) },
      }
      return isShown ? { type: 'pool.updated', ...common, touches: [poolsTag] } : { type: 'pool.drafted', ...common }
    },
  }),
]
