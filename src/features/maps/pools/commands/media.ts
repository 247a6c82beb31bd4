import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { isHeadPooler } from '../../../tournaments/access/policy.ts'
import { readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { findTournamentFor } from '../../../tournaments/tournaments/store/tournaments.ts'
import { poolsTag } from '../events.ts'
import { maySeePool } from '../policy.ts'
import { descriptionColumn, listNamed } from '../store/media.ts'
import { findPool, lockPool, updatePool } from '../store/pools.ts'
import { toldText } from './pools.ts'

const subject = 'pool'
const field = 'description'

/**
 * The pictures in pool descriptions, for the management of media. Users who may change the pool now may remove them.
 */
export const poolMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: descriptionColumn },
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor, maySeePool),
    mayDetach: async (db, actor, guid) => {
      const pool = await findPool(db, guid)
      const seen = pool && (await findTournamentFor(db, pool.tournamentGuid, actor.guid))
      if (pool === undefined || seen === undefined) return false
      const { tournament, roles } = seen
      const here = { ...actor, isOrganiser: tournament.organiserGuid === actor.guid, roles: new Set(roles) }
      return isHeadPooler(here) && pool.status !== 'archived' && tournament.status !== 'cancelled'
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const pool = await lockPool(tx, guid)
      if (pool === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const description = withoutMedia(services.config.media.url, pool.description ?? '', mediaGuid)
      const isShown = pool.status !== 'draft'
      await updatePool(tx, guid, { description, ...(isShown ? { shownAt: now } : {}) }, now)
      const told = {
        ...{ subject: guid, tournament: pool.tournamentGuid, actor: actorGuid },
        ...{ before: { description: toldText(pool.description) }, after: { description: toldText(description) } },
      }
      emit(tx, isShown ? { type: 'pool.updated', ...told, touches: [poolsTag] } : { type: 'pool.drafted', ...told })
      return true
    },
  },
]
