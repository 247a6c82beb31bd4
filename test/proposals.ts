import { beginPlay, type NewPlay, saveFinish } from '../src/features/assistant/proposals/commands/plays.ts'
import { propose } from '../src/features/assistant/proposals/commands/proposing.ts'
import type { Finish, GameProposal, Play } from '../src/features/assistant/proposals/types.ts'
import type { MadeBracket } from './bracket-play.ts'
import type { MatchPlay } from './flow-cases.ts'
import type { Harness } from './harness.ts'

/** Songs that were played in a test, reported like by the process that holds a session of the assistant. */

export interface PlayedSong {
  readonly play: Play
  readonly finish: (userGuid: string, score: number, more?: Partial<Finish>) => Promise<{ readonly isFirst: boolean }>
  readonly propose: (more?: { warnings?: readonly string[]; isComplete?: boolean }) => Promise<GameProposal>
}

export async function beginSong(
  api: Harness,
  given: Partial<NewPlay> & Pick<NewPlay, 'matchGuid' | 'tournamentGuid' | 'expected'>,
) {
  const play = await api.app.database.transaction((tx) =>
    beginPlay(tx, {
      sessionGuid: null,
      flowSessionGuid: null,
      game: 1,
      run: 1,
      technical: false,
      mode: 'now' as const,
      source: 'assistant' as const,
      serverHost: 'assistant.example.org',
      serverVersion: 1310,
      assistantMatch: null,
      map: {
        poolMapGuid: '9c1d6f1e-0000-4000-8000-000000000001',
        hash: 'a'.repeat(40),
        characteristic: 'Standard',
        difficulty: 'ExpertPlus',
        name: 'A song',
        modifiers: [],
        maxScore: 1_000_000,
      },
      ...given,
      now: new Date(),
    }),
  )
  return songOf(api, play)
}

function songOf(api: Harness, play: Play): PlayedSong {
  const { database } = api.app
  return {
    play,
    finish(userGuid, score, more = {}) {
      const side = play.expected.find((player) => player.userGuid === userGuid)?.side ?? 1
      return database.transaction((tx) =>
        saveFinish(
          tx,
          play.guid,
          {
            userGuid,
            side,
            score,
            maxScore: 1_000_000,
            accuracy: score / 1_000_000,
            misses: 3,
            badCuts: 1,
            goodCuts: 900,
            maxCombo: 400,
            completion: 'passed',
            endTime: 180,
            mods: [],
            warnings: [],
            receivedAt: new Date(),
            ...more,
          },
          new Date(),
        ),
      )
    },
    propose: ({ warnings = [], isComplete = false } = {}) =>
      database.transaction((tx) => propose(tx, play.guid, { warnings, isComplete, now: new Date() })),
  }
}

/** A song of a match without a flow, played by the two captains. */
export async function songOfMatch(
  api: Harness,
  made: MadeBracket,
  number: number,
  more: Partial<NewPlay> = {},
): Promise<PlayedSong & { readonly players: readonly [string, string]; readonly address: string }> {
  const match = await made.readMatch(number)
  const players = match.sides.map(({ team }: { team: { guid: string } }) => {
    const index = made.teams.findIndex(({ guid }) => guid === team.guid)
    return made.captains[index]?.guid as string
  }) as [string, string]
  const song = await beginSong(api, {
    tournamentGuid: made.cup.guid,
    matchGuid: match.guid,
    expected: players.map((userGuid, index) => expectedPlayer(userGuid, index === 0 ? 1 : 2)),
    ...more,
  })
  return { ...song, players, address: `${made.match(number)}/proposals` }
}

/** The current song of a match's session. */
export async function songOfFlow(
  api: Harness,
  play: Pick<MatchPlay, 'state' | 'player' | 'match' | 'number'> & {
    readonly made: Pick<MatchPlay['made'], 'cup' | 'match'>
  },
  more: Partial<NewPlay> = {},
): Promise<PlayedSong & { readonly players: readonly [string, string]; readonly address: string }> {
  const { turn, pool, session, games } = play.state
  const guid = games.find(({ game }: { game: number }) => game === turn.game).map
  const { map } = pool.maps.find((entry: { guid: string }) => entry.guid === guid)
  const { hash, characteristic, difficulty, name, maxScore } = map
  const players = [play.player(1), play.player(2)] as [string, string]
  const { guid: matchGuid } = await play.match()
  const song = await beginSong(api, {
    tournamentGuid: play.made.cup.guid,
    matchGuid,
    flowSessionGuid: session,
    game: turn.game,
    run: turn.run,
    map: { poolMapGuid: guid, hash, characteristic, difficulty, name, modifiers: [], maxScore },
    expected: players.map((userGuid, index) => expectedPlayer(userGuid, index === 0 ? 1 : 2)),
    ...more,
  })
  return { ...song, players, address: `${play.made.match(play.number)}/proposals` }
}

export function expectedPlayer(userGuid: string, side: 1 | 2) {
  return { userGuid, side, platformId: '76561198000000001', mapped: false }
}
