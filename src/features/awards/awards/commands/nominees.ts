import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { notify, notifyEach } from '../../../people/notifications/commands.ts'
import { findTarget } from '../queries.ts'
import { isRecordType, readLabel } from '../rules/nominating.ts'
import {
  checkRoomForNominee,
  checkTakesTarget,
  declinedNotice,
  decliningPhases,
  mergingPhases,
  nominatedNotice,
  nomineeTwice,
  unknownNomination,
  unknownNominee,
} from '../rules/nominees.ts'
import { checkPhase, hasReached } from '../rules/phases.ts'
import { readAddress } from '../rules/settings.ts'
import { roundOf } from '../rules/voting.ts'
import { remakeBallots } from '../store/ballots.ts'
import { lockNominations, mergeInto } from '../store/nominations.ts'
import * as store from '../store/nominees.ts'
import { listDeciders } from '../store/targets.ts'
import { listVotersIn } from '../store/votes.ts'
import type { Category, Edition, Nomination, Nominee, PlacedNominee } from '../types.ts'
import { lockedEdition, type Surroundings, touchEdition } from './editions.ts'

export interface NomineeInput {
  readonly label?: string
  readonly target?: string | null
  readonly imageUrl?: string | null
  readonly link?: string | null
  readonly description?: string
  /** GUIDs of the nominations that are merged into the nominee. They replace the earlier ones. */
  readonly nominations?: readonly string[]
}

const names = ['label', 'imageUrl', 'link', 'description', 'targetGuid'] as const

/**
 * Makes a nominee, usually from nominations, and notifies the nominated user. (awards: States of an edition)
 * @throws Problem `award.unknown`, `award.phase_wrong`, `award.nominees_limit`, `award.nominee_exists`,
 * `award.nomination_unknown`, `award.target_invalid`, `award.target_unknown`, `award.invalid`,
 * `media.reference_invalid`
 */
export async function addNominee(
  tx: Tx,
  actor: SignedIn,
  category: Category,
  input: NomineeInput & Required<Pick<NomineeInput, 'label'>>,
  { mediaUrl, now }: Surroundings,
): Promise<Nominee> {
  const edition = await lockedEdition(tx, category.editionGuid)
  checkPhase(edition, mergingPhases)
  checkRoomForNominee(await store.countNominees(tx, category.guid))
  const merged = await lockKnownNominations(tx, category, input.nominations ?? [])
  const targetGuid = (await readTarget(tx, actor, category, input.target)) ?? onlyTarget(merged)
  await checkIsNew(tx, category, targetGuid, null)
  const given = {
    label: readLabel(input.label),
    imageUrl: readAddress('imageUrl', input.imageUrl ?? null),
    link: readAddress('link', input.link ?? null),
    description: input.description ?? '',
  }
  const room = { owners: [actor.guid] }
  const { addresses, uses } = await readPictures(tx, 'award', { mediaUrl, given, current: null, room })
  const members = await membersAtClosing(tx, edition, category, targetGuid)
  const nominee = await store.insertNominee(tx, { ...addresses, categoryGuid: category.guid, targetGuid, members }, now)
  await usePictures(tx, 'award', nominee.guid, uses, now)
  await mergeInto(
    tx,
    nominee.guid,
    merged.map(({ guid }) => guid),
  )
  await touchEdition(tx, edition.guid, now)
  await notifyNominated(tx, actor, { edition, category }, nominee)
  emit(tx, {
    type: 'award.nominee_created',
    subject: edition.guid,
    actor: actor.guid,
    after: { nominee: nominee.guid, category: category.guid, ...membersOf(nominee, names) },
  })
  return nominee
}

/**
 * Changes the given members of a nominee. If all have the given values already, nothing is saved or emitted.
 * @throws Problem as `addNominee`, and `award.nominee_unknown`
 */
export async function changeNominee(
  tx: Tx,
  actor: SignedIn,
  { guid, category }: PlacedNominee,
  input: NomineeInput,
  { mediaUrl, now }: Surroundings,
): Promise<Nominee> {
  const edition = await lockedEdition(tx, category.editionGuid)
  checkPhase(edition, mergingPhases)
  const before = await store.findNominee(tx, guid)
  if (before === undefined) throw unknownNominee()
  const { label, imageUrl, link, description, target, nominations } = input
  const merged = nominations && (await lockKnownNominations(tx, category, nominations))
  const targetGuid = target === undefined ? before.targetGuid : await readTarget(tx, actor, category, target)
  const isOther = targetGuid !== before.targetGuid
  if (isOther) await checkIsNew(tx, category, targetGuid, guid)
  const given = {
    label: label === undefined ? before.label : readLabel(label),
    imageUrl: imageUrl === undefined ? before.imageUrl : readAddress('imageUrl', imageUrl),
    link: link === undefined ? before.link : readAddress('link', link),
    description: description ?? before.description,
    targetGuid,
  }
  const room = { owners: [actor.guid] }
  const { addresses: next, uses } = await readPictures(tx, 'award', { mediaUrl, given, current: before, room })
  const changed = names.filter((name) => !isDeepStrictEqual(next[name], before[name]))
  if (merged !== undefined)
    await mergeInto(
      tx,
      guid,
      merged.map((one) => one.guid),
    )
  if (changed.length === 0 && merged === undefined) return before
  const members = isOther ? await membersAtClosing(tx, edition, category, targetGuid) : before.members
  // If the nominee gets another target, an earlier decline no longer applies.
  const declinedAt = isOther ? null : before.declinedAt
  const after = await store.updateNominee(tx, guid, { ...next, members, declinedAt }, now)
  await usePictures(tx, 'award', guid, uses, now)
  await touchEdition(tx, edition.guid, now)
  if (isOther) await notifyNominated(tx, actor, { edition, category }, after)
  emit(tx, {
    type: 'award.nominee_updated',
    subject: edition.guid,
    actor: actor.guid,
    before: membersOf(before, changed),
    after: { nominee: guid, ...membersOf(after, changed) },
  })
  return after
}

/**
 * Deletes a nominee. Its nominations are no longer merged.
 * @throws Problem `award.unknown`, `award.phase_wrong`
 */
export async function removeNominee(tx: Tx, actor: SignedIn, nominee: PlacedNominee, now: Date): Promise<void> {
  const edition = await lockedEdition(tx, nominee.edition.guid)
  checkPhase(edition, mergingPhases)
  await store.deleteNominee(tx, nominee.guid)
  await endUsages(tx, [nominee.guid], now)
  await touchEdition(tx, edition.guid, now)
  emit(tx, {
    type: 'award.nominee_deleted',
    subject: edition.guid,
    actor: actor.guid,
    before: { nominee: nominee.guid, ...membersOf(nominee, names) },
  })
}

/**
 * Declines a nomination, once. During `voting`, all who voted in the category are notified that their vote may be void.
 * During `counting`, all ballots are made again without the votes for the nominee. Otherwise the results would contain
 * these votes, and a recount would reveal that the nominee had some. (A4, A10, A13)
 * @throws Problem `award.unknown`, `award.nominee_unknown`, `award.phase_wrong`
 */
export async function declineNomination(tx: Tx, actor: SignedIn, found: PlacedNominee, now: Date): Promise<Nominee> {
  const edition = await lockedEdition(tx, found.edition.guid)
  const nominee = await store.findNominee(tx, found.guid)
  // A manager may have given the nominee another target in the meantime.
  if (nominee === undefined || nominee.targetGuid !== found.targetGuid) throw unknownNominee()
  checkPhase(edition, decliningPhases)
  if (nominee.declinedAt !== null) return nominee
  const after = await store.updateNominee(tx, nominee.guid, { declinedAt: now }, now)
  await touchEdition(tx, edition.guid, now)
  if (edition.status === 'voting') await notifyVoters(tx, actor, edition, nominee, now)
  if (edition.status === 'counting') await remakeBallots(tx, edition.guid)
  emit(tx, {
    type: 'award.nominee_declined',
    subject: edition.guid,
    actor: actor.guid,
    after: { nominee: nominee.guid },
  })
  return after
}

const votersAtOnce = 1_000

async function notifyVoters(
  tx: Tx,
  actor: SignedIn,
  edition: Edition,
  { categoryGuid }: Nominee,
  now: Date,
): Promise<void> {
  const round = roundOf(edition)
  for (let after: string | null = null, more = true; more; ) {
    const voters: string[] = await listVotersIn(tx, { categoryGuid, round }, after, votersAtOnce)
    const others = voters.filter((guid) => guid !== actor.guid)
    await notifyEach(tx, others, declinedNotice(edition), now)
    after = voters.at(-1) ?? null
    more = voters.length === votersAtOnce
  }
}

/** @throws Problem `award.nomination_unknown` */
async function lockKnownNominations(
  tx: Tx,
  { guid }: Category,
  given: readonly string[],
): Promise<readonly Nomination[]> {
  const wanted = new Set(given.map((one) => one.toLowerCase()))
  if (wanted.size === 0) return []
  const found = await lockNominations(tx, guid, [...wanted])
  if (found.length < wanted.size) throw unknownNomination()
  return found
}

async function readTarget(
  tx: Tx,
  actor: SignedIn,
  { nomineeType }: Category,
  target: string | null | undefined,
): Promise<string | null> {
  if (target == null) return null
  checkTakesTarget(nomineeType)
  return isRecordType(nomineeType) ? (await findTarget(tx, actor, nomineeType, target)).guid : null
}

/** The common record of all merged nominations; null if they name different ones. */
function onlyTarget(merged: readonly Nomination[]): string | null {
  const [first, ...others] = new Set(merged.map(({ targetGuid }) => targetGuid))
  return others.length === 0 ? (first ?? null) : null
}

/** @throws Problem `award.nominee_exists` */
async function checkIsNew(
  tx: Tx,
  { guid: categoryGuid }: Category,
  targetGuid: string | null,
  except: string | null,
): Promise<void> {
  const other = targetGuid === null ? undefined : await store.findNomineeOf(tx, categoryGuid, targetGuid)
  if (other !== undefined && other !== except) throw nomineeTwice()
}

/**
 * The members of a team that becomes a nominee after nominations closed: those saved at the closing if somebody had
 * nominated it, else those who had joined by then. (A12)
 */
async function membersAtClosing(
  tx: Tx,
  edition: Edition,
  { guid, nomineeType }: Category,
  targetGuid: string | null,
): Promise<readonly string[]> {
  if (nomineeType !== 'team' || targetGuid === null || !hasReached(edition, 'shortlisting')) return []
  const kept = await store.findKeptMembers(tx, guid, targetGuid)
  return kept ?? store.listMembersSince(tx, targetGuid, edition.nominationsCloseAt)
}

/** Notifies the user, the organiser of the tournament, or the captain of the team. */
async function notifyNominated(
  tx: Tx,
  actor: SignedIn,
  { edition, category }: { readonly edition: Edition; readonly category: Category },
  nominee: Nominee,
): Promise<void> {
  const [userGuid] = await listDeciders(tx, category.nomineeType, nominee.targetGuid)
  if (userGuid === undefined || userGuid === actor.guid) return
  await notify(tx, { userGuid, ...nominatedNotice(edition, category, nominee) })
}
