import type { SignedIn } from '../../../../core/actor.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { awardsTag } from '../events.ts'
import { maySeeEdition, maySeeNominees } from '../policy.ts'
import { mergingPhases, rewordingPhases } from '../rules/nominees.ts'
import { changingPhases } from '../rules/phases.ts'
import { updateCategory } from '../store/categories.ts'
import { findCategory, findEdition, lockEdition, updateEdition } from '../store/editions.ts'
import {
  bannerColumn,
  categoryColumn,
  categorySubject,
  descriptionColumn,
  imageColumn,
  listCategoryNames,
  listLabels,
  listTitles,
  type Titled,
} from '../store/media.ts'
import { findPlacedNominee, updateNominee } from '../store/nominees.ts'
import type { Edition, EditionStatus } from '../types.ts'
import { touchEdition } from './editions.ts'

const subject = 'award'

function namesOf(all: readonly Titled[], isFound: (each: Titled) => boolean): ReadonlyMap<string, string> {
  return new Map(all.filter(isFound).map(({ guid, name }) => [guid, name]))
}

/**
 * The pictures of editions, nominees and their texts, for managers of media. Managers of awards may remove them in the
 * phases in which they may change the record.
 */
export const awardMediaFields: readonly MediaField[] = [
  editionField('bannerUrl', bannerColumn),
  editionField('description', descriptionColumn),
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
  {
    ...{ subject: categorySubject, field: 'description', kept: categoryColumn },
    names: async (db, guids, actor) =>
      namesOf(await listCategoryNames(db, guids), (each) => maySeeEdition(actor, each)),
    mayDetach: async (db, actor, guid) => {
      const category = await findCategory(db, guid)
      return mayChange(actor, category && (await findEdition(db, category.editionGuid)), rewordingPhases)
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const found = await findCategory(tx, guid)
      if (found === undefined || (await lockEdition(tx, found.editionGuid)) === undefined) return false
      const category = await findCategory(tx, guid)
      if (category === undefined) return false
      const use = { subject: categorySubject, subjectGuid: guid, field: 'description', mediaGuid } as const
      if (!(await endUsage(tx, use, now))) return false
      const description = withoutMedia(services.config.media.url, category.description, mediaGuid)
      await updateCategory(tx, guid, { description })
      await touchEdition(tx, category.editionGuid, now)
      emit(tx, {
        ...{ type: 'award.category_updated', subject: category.editionGuid, actor: actorGuid },
        ...{ before: { description: category.description }, after: { category: guid, description } },
      })
      return true
    },
  },
]

function editionField(field: 'bannerUrl' | 'description', kept: MediaColumn): MediaField {
  return {
    ...{ subject, field, kept },
    names: async (db, guids, actor) => namesOf(await listTitles(db, guids), (each) => maySeeEdition(actor, each)),
    mayDetach: async (db, actor, guid) => mayChange(actor, await findEdition(db, guid), changingPhases),
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const edition = await lockEdition(tx, guid)
      if (edition === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const after = kept.isText ? withoutMedia(services.config.media.url, edition.description, mediaGuid) : null
      await updateEdition(tx, guid, { [field]: after }, now)
      emit(tx, {
        ...{ type: 'award.updated', subject: guid, actor: actorGuid, touches: [awardsTag] },
        ...{ before: { [field]: edition[field] }, after: { [field]: after } },
      })
      return true
    },
  }
}

function mayChange(actor: SignedIn, edition: Edition | undefined, phases: readonly EditionStatus[]): boolean {
  return badgeManagers.allows(actor, {}) && edition !== undefined && phases.includes(edition.status)
}
