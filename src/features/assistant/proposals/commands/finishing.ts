import { replay } from '../../../../engine/flows/replay.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { unknownMatch } from '../../../brackets/matches/rules.ts'
import { findMatch } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { listLog } from '../../../flows/flowSessions/store/rows.ts'
import { findCurrentOfMatch, lockSession } from '../../../flows/flowSessions/store/sessions.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import type { FinishInput } from '../bodies.ts'
import {
  checkIsPlayed,
  checkMayBegin,
  checkOwnGame,
  differences,
  expectedOf,
  joins,
  mapAt,
  playsInNeither,
  type Seat,
  songAt,
} from '../rules/games.ts'
import { isOpen } from '../rules/standing.ts'
import { absentPlayers } from '../rules/warnings.ts'
import { countGamePlays, isPlayedByAssistant, listGamePlays, lockGamePlays } from '../store/game-plays.ts'
import { findPlay, listFinishes } from '../store/plays.ts'
import { lockProposalOfPlay } from '../store/proposals.ts'
import type { Finish, GameProposal, Play } from '../types.ts'
import { beginPlay, saveFinish, setPlayState } from './plays.ts'
import { propose } from './proposing.ts'

/**
 * Saves the result of a player that the player's own game reports, with the song that other games reported or as a new
 * song. It becomes a proposal, which an operator decides. (AS31)
 * @throws Problem `live.player_unknown`, `game.player_mismatch`, `match.cancelled`, `assistant.play_open`,
 * `live.finishes_limit`
 */
export async function reportFinish(
  tx: Tx,
  matchGuid: string,
  userGuid: string,
  reportedFinish: FinishInput,
  now: Date,
): Promise<{ readonly play: Play; readonly proposal: GameProposal }> {
  await lockGamePlays(tx, matchGuid)
  const [match, record] = await Promise.all([findMatch(tx, matchGuid), findCurrentOfMatch(tx, matchGuid)])
  if (match === undefined) throw unknownMatch()
  checkIsPlayed(match)
  const isPlayed = record !== undefined && record.status !== 'void'
  // The session is locked before plays and proposals, in the same order as in an acceptance.
  if (isPlayed) await lockSession(tx, record.guid)
  const machine = isPlayed ? replay(record.guid, await listLog(tx, record.guid)) : null
  const seats = await listSeats(tx, match)
  const seat = seats.find((one) => one.userGuid === userGuid)
  if (seat === undefined) throw playsInNeither()
  const facts = await listUserFacts(
    tx,
    seats.map((one) => one.userGuid),
  )
  const verifiedOf = (guid: string) =>
    [facts.get(guid)?.rankingIdA, facts.get(guid)?.rankingIdB].filter((id) => id != null)
  checkOwnGame(reportedFinish, verifiedOf(userGuid))

  const {
    source: _source,
    platformId: _platform,
    characteristic,
    difficulty,
    name,
    badCuts = 0,
    ...result
  } = reportedFinish
  const played = { hash: reportedFinish.hash.toLowerCase(), characteristic, difficulty, name }
  const { hash: _hash, ...numbers } = result
  const report = { ...numbers, badCuts, userGuid, side: seat.side, mods: [], receivedAt: now }
  const song = songAt(match, machine, played)
  const session = machine === null ? null : (record?.guid ?? null)

  const known = await listGamePlays(tx, matchGuid)
  let play: Play | undefined
  for (const one of known) {
    const [finishes, proposal] = [await listFinishes(tx, one.guid), await lockProposalOfPlay(tx, one.guid)]
    const isUndecided = proposal !== undefined && isOpen(proposal)
    if (joins({ ...one, isUndecided }, finishes, { song, session, report })) play ??= one
  }
  if (play === undefined) {
    checkMayBegin(await isPlayedByAssistant(tx, matchGuid), await countGamePlays(tx, matchGuid))
    for (const one of known.filter((each) => each.state === 'started')) await closeGamePlay(tx, one.guid, now)
    const { guid } = await beginPlay(tx, {
      tournamentGuid: match.tournamentGuid,
      matchGuid,
      sessionGuid: null,
      flowSessionGuid: session,
      ...song,
      map: mapAt(machine, played),
      mode: 'now',
      source: 'game',
      serverHost: null,
      serverVersion: null,
      assistantMatch: null,
      expected: expectedOf(machine, seats, (one) => verifiedOf(one)[0] ?? null),
      now,
    })
    play = (await setPlayState(tx, guid, 'started', now)) as Play
  }
  const finish: Omit<Finish, 'playGuid'> = { ...report, warnings: differences(play, played) }
  await saveFinish(tx, play.guid, finish, now)
  const proposal = await propose(tx, play.guid, { warnings: [], now })
  const isWhole = absentPlayers(play, await listFinishes(tx, play.guid)).length === 0
  if (isWhole && play.state === 'started') await setPlayState(tx, play.guid, 'finished', now)
  return { play, proposal }
}

/** Ends a song and proposes the results that have arrived. */
export async function closeGamePlay(tx: Tx, playGuid: string, now: Date): Promise<void> {
  await propose(tx, playGuid, { warnings: [], isComplete: true, now })
  await setPlayState(tx, playGuid, 'finished', now)
}

/**
 * Proposes what is known of a song whose wait for further results is over. (AS17)
 * @param isOver whether no further player may join the song
 */
export async function completeQuietPlay(
  tx: Tx,
  { guid, matchGuid, isOver }: { readonly guid: string; readonly matchGuid: string; readonly isOver: boolean },
  now: Date,
): Promise<void> {
  await lockGamePlays(tx, matchGuid)
  const play = await findPlay(tx, guid)
  if (play?.state !== 'started') return
  if (play.flowSessionGuid !== null) await lockSession(tx, play.flowSessionGuid)
  if (isOver) return closeGamePlay(tx, guid, now)
  await propose(tx, guid, { warnings: [], isComplete: true, now })
}

async function listSeats(tx: Tx, { team1Guid, team2Guid }: MatchRecord): Promise<readonly Seat[]> {
  const teams = [team1Guid, team2Guid]
  const members = await listMembers(
    tx,
    teams.filter((team) => team !== null),
  )
  return teams.flatMap((team, index) =>
    (members.get(team ?? '') ?? []).map(({ userGuid, isActive }) => ({
      userGuid,
      isActive,
      side: (index + 1) as 1 | 2,
    })),
  )
}
