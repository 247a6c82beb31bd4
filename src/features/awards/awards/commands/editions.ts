import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { changedTexts, useShown } from '../../../../infra/media/texts.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { awardsTag } from '../events.ts'
import { unknownEdition } from '../rules/nominating.ts'
import { changingPhases, checkMoves, checkPhase } from '../rules/phases.ts'
import { checkFresh, checkRulesKept, type EditionInput, readEdition, settingNames } from '../rules/settings.ts'
import * as store from '../store/editions.ts'
import type { Edition } from '../types.ts'

/** What a change of an edition needs besides the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/** @throws Problem `award.unknown` */
export async function lockedEdition(tx: Tx, guid: string): Promise<Edition> {
  const edition = await store.lockEdition(tx, guid)
  if (edition === undefined) throw unknownEdition()
  return edition
}

/**
 * Gives the edition a new revision after a change of a record that belongs to it. Call it last, with the edition
 * locked.
 * @returns the edition as it is now
 */
export async function touchEdition(tx: Tx, guid: string, now: Date): Promise<Edition> {
  return store.updateEdition(tx, guid, {}, now)
}

/**
 * @throws Problem `award.invalid`, `award.dates_invalid`, `media.reference_invalid`, and `award.id_taken` by its
 * constraint
 */
export async function createEdition(
  tx: Tx,
  actor: SignedIn,
  input: EditionInput,
  { mediaUrl, now }: Surroundings,
): Promise<Edition> {
  const given = readEdition(input, null)
  const room = { owners: [actor.guid] }
  const { addresses, uses } = await readPictures(tx, 'award', { mediaUrl, given, current: null, room })
  const edition = await store.insertEdition(tx, addresses, actor.guid, now)
  await usePictures(tx, 'award', edition.guid, uses, now)
  const { description } = edition
  await useShown(tx, { subject: 'award', subjectGuid: edition.guid }, { description }, { room, now })
  emit(tx, {
    type: 'award.created',
    subject: edition.guid,
    actor: actor.guid,
    after: membersOf(edition, settingNames),
    touches: [awardsTag],
  })
  return edition
}

/**
 * Changes the given members of an edition. If all have the given values already, nothing is saved or emitted.
 * @throws Problem `award.unknown`, `award.stale`, `award.phase_wrong`, `award.rules_fixed`, `award.date_passed`, and
 * those of `createEdition`
 */
export async function changeEdition(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { expectedUpdatedAt, ...input }: EditionInput & { readonly expectedUpdatedAt: string },
  { mediaUrl, now }: Surroundings,
): Promise<Edition> {
  const before = await lockedEdition(tx, guid)
  checkFresh(before, expectedUpdatedAt)
  checkPhase(before, changingPhases)
  const given = readEdition(input, before)
  checkRulesKept(before, given)
  checkMoves(before, given, now)
  const room = { owners: [actor.guid] }
  const { addresses: next, uses } = await readPictures(tx, 'award', { mediaUrl, given, current: before, room })
  const names = settingNames.filter((name) => !isDeepStrictEqual(next[name], before[name]))
  if (names.length === 0) return before
  const after = await store.updateEdition(tx, guid, next, now)
  await usePictures(tx, 'award', guid, uses, now)
  const texts = changedTexts(['description'], before, after)
  await useShown(tx, { subject: 'award', subjectGuid: guid }, texts, { room, now })
  emit(tx, {
    type: 'award.updated',
    subject: guid,
    actor: actor.guid,
    touches: [awardsTag],
    before: membersOf(before, names),
    after: membersOf(after, names),
  })
  return after
}

/** @throws Problem `award.unknown`, `award.stale`, `award.phase_wrong` */
export async function deleteEdition(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  expectedUpdatedAt: string | undefined,
  now: Date,
): Promise<void> {
  const before = await lockedEdition(tx, guid)
  checkFresh(before, expectedUpdatedAt)
  checkPhase(before, ['draft'])
  const categories = await store.listCategories(tx, guid)
  await store.deleteEdition(tx, guid)
  const used = [guid, ...categories.map((category) => category.guid)]
  await endUsages(tx, used, now)
  emit(tx, {
    type: 'award.deleted',
    subject: guid,
    actor: actor.guid,
    before: membersOf(before, settingNames),
    touches: [awardsTag],
  })
}
