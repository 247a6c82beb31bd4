import type { SignedIn } from '../../../../core/actor.ts'
import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
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
  mediaField({
    subject,
    field: 'imageUrl',
    kept: imageColumn,
    names: async (db, guids, actor) =>
      namesOf(await listLabels(db, guids), (each) => maySeeEdition(actor, each) && maySeeNominees(actor, each)),
    mayDetach: async (db, actor, guid) => mayChange(actor, (await findPlacedNominee(db, guid))?.edition, mergingPhases),
    lock: async (tx, guid) => {
      const placed = await findPlacedNominee(tx, guid)
      return placed && (await lockEdition(tx, placed.edition.guid)) && findPlacedNominee(tx, guid)
    },
    update: async (tx, { edition, imageUrl }, { guid, actorGuid, now }) => {
      await updateNominee(tx, guid, { imageUrl: null }, now)
      await touchEdition(tx, edition.guid, now)
      return {
        type: 'award.nominee_updated',
        subject: edition.guid,
        actor: actorGuid,
        before: { imageUrl },
        after: { nominee: guid, imageUrl: null },
      }
    },
  }),
  mediaField({
    subject: categorySubject,
    field: 'description',
    kept: categoryColumn,
    names: async (db, guids, actor) =>
      namesOf(await listCategoryNames(db, guids), (each) => maySeeEdition(actor, each)),
    mayDetach: async (db, actor, guid) => {
      const category = await findCategory(db, guid)
      return mayChange(actor, category && (await findEdition(db, category.editionGuid)), rewordingPhases)
    },
    lock: async (tx, guid) => {
      const found = await findCategory(tx, guid)
      return found && (await lockEdition(tx, found.editionGuid)) && findCategory(tx, guid)
    },
    update: async (tx, { editionGuid, description: before }, { guid, actorGuid, without, now }) => {
      const description = without(before)
      await updateCategory(tx, guid, { description })
      await touchEdition(tx, editionGuid, now)
      return {
        type: 'award.category_updated',
        subject: editionGuid,
        actor: actorGuid,
        before: { description: before },
        after: { category: guid, description },
      }
    },
  }),
]

function editionField(field: 'bannerUrl' | 'description', kept: MediaColumn): MediaField {
  return mediaField({
    subject,
    field,
    kept,
    names: async (db, guids, actor) => namesOf(await listTitles(db, guids), (each) => maySeeEdition(actor, each)),
    mayDetach: async (db, actor, guid) => mayChange(actor, await findEdition(db, guid), changingPhases),
    lock: lockEdition,
    update: async (tx, edition, { guid, actorGuid, without, now }) => {
      const after = { [field]: kept.isText ? without(edition.description) : null }
      await updateEdition(tx, guid, after, now)
      return {
        type: 'award.updated',
        subject: guid,
        actor: actorGuid,
        touches: [awardsTag],
        before: { [field]: edition[field] },
        after,
      }
    },
  })
}

function mayChange(actor: SignedIn, edition: Edition | undefined, phases: readonly EditionStatus[]): boolean {
  return badgeManagers.allows(actor, {}) && edition !== undefined && phases.includes(edition.status)
}
