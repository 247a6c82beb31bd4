import { conflict } from '../../../../core/problem.ts'
import { readClock } from '../../../../infra/db/clock.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { isMatchShownLate, lockSession } from '../../../flows/flowSessions/store/sessions.ts'
import { isSameReport } from '../rules/warnings.ts'
import { insertFinish, insertPlay, listFinishes, lockPlay, updatePlayState, warnOfFinish } from '../store/plays.ts'
import { lockProposalOfPlay } from '../store/proposals.ts'
import type { Finish, Play, PlayState } from '../types.ts'
import { addWarning, propose } from './proposing.ts'
import { supersede } from './superseding.ts'

/** Saves starts, states and results of songs. Each function belongs into the transaction of its cause. */

export type NewPlay = Omit<Play, 'guid' | 'state' | 'startedAt' | 'endedAt'>

/**
 * Saves a start before it is sent.
 * @throws Problem `assistant.play_open`
 */
export async function beginPlay(tx: Tx, { now, ...play }: NewPlay & { readonly now: Date }): Promise<Play> {
  // The session's state at this time is looked up later, so the time must come from the session's clock.
  const session = play.flowSessionGuid === null ? undefined : await lockSession(tx, play.flowSessionGuid)
  const startedAt = session === undefined ? now : await readClock(tx)
  const begun = await insertPlay(tx, { ...play, state: 'sending', startedAt })
  if (begun === null) throw conflict('assistant.play_open', 'A song is being played already.')
  return begun
}

const running: ReadonlySet<PlayState> = new Set(['sending', 'started'])

/**
 * Proposes the known results of a song that no session waits for any more, or not until another session takes it over.
 * A later result is added as long as the proposal is undecided. (AS9, D75)
 */
export async function proposeWhatIsKnown(tx: Tx, playGuid: string, now: Date): Promise<void> {
  await propose(tx, playGuid, { warnings: ['interrupted'], isComplete: true, now })
}

/** States of songs without a result to propose: aborted, or never begun. (AS8) */
const without: ReadonlySet<PlayState> = new Set(['aborted', 'not_started'])

export async function setPlayState(tx: Tx, playGuid: string, state: PlayState, now: Date): Promise<Play | undefined> {
  const play = await updatePlayState(tx, playGuid, state, running.has(state) ? null : now)
  if (play !== undefined && without.has(state)) {
    const proposal = await lockProposalOfPlay(tx, playGuid)
    if (proposal !== undefined) await supersede(tx, proposal, now)
  }
  return play
}

/**
 * Saves a player's result before it is used. The first result counts. A different one of the same player is a warning
 * and never overwrites; an equal one changes nothing. (AS16)
 */
export async function saveFinish(
  tx: Tx,
  playGuid: string,
  report: Omit<Finish, 'playGuid'>,
  _now: Date,
): Promise<{ readonly isFirst: boolean }> {
  const play = await lockPlay(tx, playGuid)
  if (play === undefined) return { isFirst: false }
  const finish: Finish = { ...report, playGuid, mods: plainMods(report.mods) }
  const isFirst = await insertFinish(tx, finish)
  if (!isFirst) {
    const known = (await listFinishes(tx, playGuid)).find(({ userGuid }) => userGuid === finish.userGuid)
    if (known !== undefined && !isSameReport(known, finish) && !known.warnings.includes(secondReport)) {
      await warnOfFinish(tx, playGuid, finish.userGuid, secondReport)
      await addWarning(tx, play, { code: secondReport, user: finish.userGuid })
    }
    return { isFirst }
  }
  const { userGuid: user, score, completion } = finish
  const { game, run } = play
  const isLate = await isMatchShownLate(tx, play.matchGuid)
  emit(tx, {
    type: 'assistant.song_finished',
    subject: play.matchGuid,
    tournament: play.tournamentGuid,
    actor: null,
    after: { ...(isLate ? { withheld: game } : { game }), run, play: playGuid, user, score, completion },
  })
  return { isFirst }
}

const secondReport = 'second_report'

/** Cuts the mods that a game names, so that they cannot prevent the save of the result. */
function plainMods(mods: readonly string[]): readonly string[] {
  return mods.slice(0, maxMods).map((mod) => mod.replaceAll('\u0000', '').slice(0, maxModLength))
}

const maxMods = 200
const maxModLength = 100
