import type { SignedIn } from '../../../../core/actor.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { awardsTag } from '../events.ts'
import { maySeeEdition, maySeeNominees } from '../policy.ts'
import { mergingPhases } from '../rules/nominees.ts'
import { changingPhases } from '../rules/phases.ts'
import { findEdition, lockEdition, updateEdition } from '../store/editions.ts'
import { bannerColumn, imageColumn, listLabels, listTitles, type Titled } from '../store/media.ts'
import { findPlacedNominee, updateNominee } from '../store/nominees.ts'
import type { Edition, EditionStatus } from '../types.ts'
import { touchEdition } from './editions.ts'

const subject = 'award'

function namesOf(all: readonly Titled[], isFound: (each: Titled) => boolean): ReadonlyMap<string, string> {
  return new Map(all.filter(isFound).map(({ guid, name }) => [guid, name]))
}

/**
 * The pictures of editions and nominees, as whoever manages media sees them: to be unset by those who manage awards, in the phases in
 * which they may change the record.
 */
export const awardMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field: 'bannerUrl', kept: bannerColumn },
    names: async (db, guids, actor) => namesOf(await listTitles(db, guids), (each) => maySeeEdition(actor, each)),
    mayDetach: async (db, actor, guid) => mayChange(actor, await findEdition(db, guid), changingPhases),
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const edition = await lockEdition(tx, guid)
      if (edition === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field: 'bannerUrl', mediaGuid }, now))) return false
      await updateEdition(tx, guid, { bannerUrl: null }, now)
      emit(tx, {
        ...{ type: 'award.updated', subject: guid, actor: actorGuid, touches: [awardsTag] },
        ...{ before: { bannerUrl: edition.bannerUrl }, after: { bannerUrl: null } },
      })
      return true
    },
  },
  {
    ...{ subject, field: 'imageUrl', kept: imageColumn },
    names: async (db, guids, actor) =>
      namesOf(await listLabels(db, guids), (each) => maySeeEdition(actor, each) && maySeeNominees(actor, each)),
    mayDetach: async (db, actor, guid) => mayChange(actor, (await findPlacedNominee(db, guid))?.edition, mergingPhases),
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const placed = await findPlacedNominee(tx, guid)
      if (placed === undefined || (await lockEdition(tx, placed.edition.guid)) === undefined) return false
      const nominee = await findPlacedNominee(tx, guid)
      if (nominee === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field: 'imageUrl', mediaGuid }, now))) return false
      await updateNominee(tx, guid, { imageUrl: null }, now)
      await touchEdition(tx, nominee.edition.guid, now)
      emit(tx, {
        ...{ type: 'award.nominee_updated', subject: nominee.edition.guid, actor: actorGuid },
        ...{ before: { imageUrl: nominee.imageUrl }, after: { nominee: guid, imageUrl: null } },
      })
      return true
    },
  },
]

function mayChange(actor: SignedIn, edition: Edition | undefined, phases: readonly EditionStatus[]): boolean {
  return badgeManagers.allows(actor, {}) && edition !== undefined && phases.includes(edition.status)
}
