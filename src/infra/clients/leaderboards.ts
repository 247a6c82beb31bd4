import { Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { readBody, unexpected } from './answers.ts'
import { createGate } from './gate.ts'
import type { HttpAnswer, HttpClient } from './http.ts'

/** The map of a leaderboard on a ranking platform: A is ScoreSaber (API version 1), B is BeatLeader. */

export interface LeaderboardMap {
  /** 40 hex digits, in lower case. */
  readonly hash: string
  readonly difficulty: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
  readonly characteristic: string
}

export interface LeaderboardClient {
  /**
   * null when there is no such leaderboard.
   *
   * @throws Unreachable when the platform gives no usable answer
   */
  map(id: string, signal?: AbortSignal): Promise<LeaderboardMap | null>
}

export interface LeaderboardClientsOptions {
  readonly http: HttpClient
  /** Addresses without a slash at the end. */
  readonly scoreSaberUrl: string
  readonly beatLeaderUrl: string
}

const Hash = Type.String({ pattern: '^[0-9A-Fa-f]{40}$' })

const scoreSaberShape = shapeOf(
  Type.Object({
    songHash: Hash,
    difficulty: Type.Object({
      difficulty: Type.Union([1, 3, 5, 7, 9].map((number) => Type.Literal(number))),
      gameMode: Type.String({ pattern: '^\\w{1,40}$' }),
    }),
  }),
)

const beatLeaderShape = shapeOf(
  Type.Object({
    song: Type.Object({ hash: Hash }),
    difficulty: Type.Object({
      difficultyName: Type.Union(
        (['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const).map((name) => Type.Literal(name)),
      ),
      modeName: Type.String({ pattern: '^\\w{1,32}$' }),
    }),
  }),
)

const difficulties: Readonly<Record<number, LeaderboardMap['difficulty']>> = {
  1: 'Easy',
  3: 'Normal',
  5: 'Hard',
  7: 'Expert',
  9: 'ExpertPlus',
}

export function createLeaderboardClients({ http, scoreSaberUrl, beatLeaderUrl }: LeaderboardClientsOptions): {
  readonly a: LeaderboardClient
  readonly b: LeaderboardClient
} {
  const askA = asker(http, /^\d{1,12}$/)
  const askB = asker(http, /^[0-9A-Za-z]{1,32}$/)
  return {
    a: {
      async map(id, signal) {
        const answer = await askA(id, (known) => `${scoreSaberUrl}/leaderboard/by-id/${known}/info`, signal)
        if (answer === null) return null
        const { songHash, difficulty } = readBody(answer, scoreSaberShape)
        return {
          hash: songHash.toLowerCase(),
          difficulty: difficulties[difficulty.difficulty] as LeaderboardMap['difficulty'],
          characteristic: difficulty.gameMode.replace(/^Solo(?=.)/, '').slice(0, 32),
        }
      },
    },
    b: {
      async map(id, signal) {
        const answer = await askB(id, (known) => `${beatLeaderUrl}/leaderboard/${known}`, signal)
        if (answer === null) return null
        const { song, difficulty } = readBody(answer, beatLeaderShape)
        return {
          hash: song.hash.toLowerCase(),
          difficulty: difficulty.difficultyName,
          characteristic: difficulty.modeName,
        }
      },
    },
  }
}

type Ask = (id: string, addressOf: (id: string) => string, signal?: AbortSignal) => Promise<HttpAnswer | null>

/** An id of another form has no leaderboard, and an address made from it could lead elsewhere. */
function asker(http: HttpClient, form: RegExp): Ask {
  const gate = createGate({ atOnce: 2, perSecond: 5 })
  return async (id, addressOf, signal) => {
    if (!form.test(id)) return null
    const answer = await gate(() => {
      signal?.throwIfAborted()
      return http.request({ method: 'GET', url: addressOf(id), ...(signal === undefined ? {} : { signal }) })
    })
    if (answer.status === 404) return null
    if (answer.status !== 200) throw unexpected(answer)
    return answer
  }
}
