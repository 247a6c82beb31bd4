import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../../../core/operation.ts'
import { invalid, Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyEach } from '../../../people/notifications/commands.ts'
import { awardsTag } from '../events.ts'
import { waitingNotice } from '../rules/nominees.ts'
import { checkHasCategories, checkShortlists, checkStep, dueStep, openShortlists } from '../rules/phases.ts'
import { isAnswerOfCounts } from '../rules/results.ts'
import { countCategories, listShortlists } from '../store/categories.ts'
import { type EditionChanges, lockEdition, updateEdition } from '../store/editions.ts'
import { fixExclusions } from '../store/exclusions.ts'
import { listManagersToNotify } from '../store/managers.ts'
import { updateNominatedMembers } from '../store/nominees.ts'
import type { Edition, EditionStatus } from '../types.ts'
import { closeVoting, discardVotes } from './closing.ts'
import { lockedEdition } from './editions.ts'
import { publishResults } from './publishing.ts'
import { beginRunoff } from './runoffs.ts'

/** Moves editions from phase to phase, by hand and at their dates. The edition is always locked. */

export interface Step {
  readonly to: EditionStatus
  /** GUID of the user who takes the step; null if it happens at its date. */
  readonly by: string | null
  readonly reason?: string | undefined
  readonly now: Date
}

/**
 * Moves an edition to another phase, whatever its dates are. (awards: States of an edition; awards: Details, 4)
 * @returns the edition; or a refusal that reveals a fact of the counts, and which therefore fixes the exclusions
 * @throws Problem `award.unknown`, `award.step_illegal`, `award.no_categories`, `award.shortlists_open`,
 * `award.reason_missing`
 */
export async function changeStatus(tx: Tx, guid: string, step: Step): Promise<Edition | Refusal> {
  const edition = await lockedEdition(tx, guid)
  try {
    return await take(tx, edition, step)
  } catch (error) {
    // The step has saved nothing.
    if (!(error instanceof Problem) || !isAnswerOfCounts(error, edition.rules)) throw error
    await fixExclusions(tx, edition, step.now)
    return new Refusal(error)
  }
}

async function take(tx: Tx, before: Edition, step: Step): Promise<Edition> {
  const { to, by, reason, now } = step
  checkStep(before.status, to)
  const changes = await act(tx, before, step)
  const after = await updateEdition(tx, before.guid, { ...changes, status: to }, now)
  const { runoffCategories } = after
  emit(tx, {
    type: 'award.phase_changed',
    subject: before.guid,
    actor: by,
    touches: [awardsTag],
    before: { status: before.status },
    after: {
      status: to,
      ...(reason === undefined ? {} : { reason }),
      ...(isDeepStrictEqual(runoffCategories, before.runoffCategories)
        ? {}
        : { runoffCategories: runoffCategories ?? [] }),
    },
  })
  return after
}

/** Carries out what belongs to a step. Returns the changes of the edition besides its status. */
async function act(tx: Tx, edition: Edition, { to, by, reason, now }: Step): Promise<EditionChanges> {
  switch (to) {
    case 'nominating':
      checkHasCategories(await countCategories(tx, edition.guid))
      return {}
    case 'shortlisting':
      await updateNominatedMembers(tx, edition.guid)
      return {}
    case 'voting':
      if (edition.status === 'counting') {
        await beginRunoff(tx, edition, now)
        // The tied nominees become known with this step. (A4, A5)
        return { exclusionsFixedAt: edition.exclusionsFixedAt ?? now }
      }
      checkShortlists(await listShortlists(tx, edition.guid))
      return {}
    case 'counting':
      await closeVoting(tx, edition, now)
      return { runoffCategories: null, runoffClosesAt: null }
    case 'published':
      await publishResults(tx, edition, by, now)
      return { publishedAt: now }
    case 'cancelled':
      await discardVotes(tx, edition)
      return { cancelReason: readReason(reason), runoffCategories: null, runoffClosesAt: null }
    default:
      return {}
  }
}

/** @throws Problem `award.reason_missing` */
function readReason(reason: string | undefined): string {
  if (reason) return reason
  throw invalid(
    'award.reason_missing',
    'Say in "reason" why the edition is cancelled; everybody who manages it reads it.',
  )
}

/**
 * Takes the step that is due, if any: another process may have taken it, or a manager may have moved its date.
 * @param now time of the database clock, so that no step comes early because of another clock
 * @param isTied the results cannot be published because first places are tied, so a runoff is held (A9)
 * @returns whether the edition has moved to another phase
 */
export async function takeDueStep(tx: Tx, guid: string, now: Date, isTied = false): Promise<boolean> {
  const edition = await lockEdition(tx, guid)
  const step = edition && dueStep(edition)
  if (!edition || !step || step.at > now) return false
  if (await isWaiting(tx, edition, step, now)) return false
  const to = isTied && step.to === 'published' ? 'voting' : step.to
  await take(tx, edition, { to, by: null, now })
  return true
}

/**
 * Whether a due step must wait: nominations for a category, voting for complete shortlists. Managers are notified of
 * the shortlists once. (awards: States of an edition)
 */
async function isWaiting(
  tx: Tx,
  edition: Edition,
  { to, at }: { readonly to: EditionStatus; readonly at: Date },
  now: Date,
): Promise<boolean> {
  if (to === 'nominating') return (await countCategories(tx, edition.guid)) === 0
  if (to !== 'voting') return false
  const open = openShortlists(await listShortlists(tx, edition.guid))
  if (open.length === 0) return false
  const notice = waitingNotice(edition, open)
  const untold = await listManagersToNotify(tx, { type: notice.type, editionGuid: edition.guid, since: at })
  await notifyEach(tx, untold, notice, now)
  return true
}
