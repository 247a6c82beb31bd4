import { type Static, Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { readBody, unexpected, visibleName } from './answers.ts'
import type { HttpAnswer, HttpClient } from './http.ts'

/** The ranking platforms, without credentials: A is ScoreSaber (API version 1), B is BeatLeader. */

export interface RankingProfile {
  /** The account's current id on the platform; where accounts were merged, it differs from the requested id. */
  readonly externalId: string
  readonly name: string
  /** ISO 3166-1 alpha-2 in upper case. */
  readonly country: string | null
  /** 1 is best; null while unranked. */
  readonly rank: number | null
  readonly banned: boolean
  readonly inactive: boolean
  /** The text that the user wrote about themselves: HTML or plain text, unsafe to show. */
  readonly profileText: string | null
  /** The chat account that the user has linked on the platform. Platform A has none. */
  readonly chatPlatformId: string | null
}

/** Every method rejects with Unreachable when the platform gives no usable answer. */
export interface RankingClient {
  /** Null when there is no such account. */
  profile(externalId: string): Promise<RankingProfile | null>
  /** Resolves when the platform answers, with any status. */
  ping(): Promise<void>
}

/** A badge that a platform gave to an account. */
export interface RankingBadge {
  /** Visible text; may be empty. */
  readonly description: string
  /** The address of its picture, which is untrusted. */
  readonly image: string
}

export interface HonouringRankingClient extends RankingClient {
  /** Null when there is no such account. */
  badges(externalId: string): Promise<readonly RankingBadge[] | null>
}

export interface ChatAwareRankingClient extends RankingClient {
  /** The account that is linked to a chat account; null when there is none. */
  profileOfChatUser(chatPlatformId: string): Promise<RankingProfile | null>
}

export interface RankingClientsOptions {
  readonly http: HttpClient
  /** Addresses without a slash at the end. */
  readonly scoreSaberUrl: string
  readonly beatLeaderUrl: string
}

const id = /^\d{1,20}$/
const Text = Type.Union([Type.String({ maxLength: 100_000 }), Type.Null()])

const account = {
  id: Type.String({ pattern: id.source }),
  name: Type.String({ maxLength: 500 }),
  country: Type.Optional(Text),
  rank: Type.Integer({ maximum: 2_147_483_647 }),
  banned: Type.Optional(Type.Boolean()),
  inactive: Type.Optional(Type.Boolean()),
}

const ScoreSaberPlayer = Type.Object({ ...account, bio: Type.Optional(Text) })

const maxBadges = 500
const ScoreSaberHonours = Type.Object({
  badges: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ description: Type.Optional(Text), image: Type.String({ maxLength: 2_000 }) }), {
        maxItems: maxBadges,
      }),
      Type.Null(),
    ]),
  ),
})

const BeatLeaderPlayer = Type.Object({
  ...account,
  profileSettings: Type.Optional(Type.Union([Type.Object({ bio: Type.Optional(Text) }), Type.Null()])),
  socials: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ service: Type.String({ maxLength: 100 }), userId: Type.Optional(Text) }), {
        maxItems: 100,
      }),
      Type.Null(),
    ]),
  ),
})

const scoreSaberShape = shapeOf(ScoreSaberPlayer)
const honoursShape = shapeOf(ScoreSaberHonours)
const beatLeaderShape = shapeOf(BeatLeaderPlayer)

export function createRankingClients({ http, scoreSaberUrl, beatLeaderUrl }: RankingClientsOptions): {
  readonly a: HonouringRankingClient
  readonly b: ChatAwareRankingClient
} {
  return { a: scoreSaber(http, scoreSaberUrl), b: beatLeader(http, beatLeaderUrl) }
}

function scoreSaber(http: HttpClient, baseUrl: string): HonouringRankingClient {
  return {
    async profile(externalId) {
      // The short form of an account is not documented to contain the profile text.
      const answer = await find(http, `${baseUrl}/player/`, externalId, '/full')
      return answer && fromScoreSaber(readBody(answer, scoreSaberShape))
    },
    async badges(externalId) {
      const answer = await find(http, `${baseUrl}/player/`, externalId, '/full')
      if (answer === null) return null
      const { badges } = readBody(answer, honoursShape)
      return (badges ?? []).map(({ description, image }) => ({ description: visibleName(description ?? ''), image }))
    },
    ping: () => ping(http, baseUrl),
  }
}

function beatLeader(http: HttpClient, baseUrl: string): ChatAwareRankingClient {
  return {
    async profile(externalId) {
      // Without `stats` an account has no links and settings.
      const answer = await find(http, `${baseUrl}/player/`, externalId, '?stats=true&keepOriginalId=false')
      return answer && fromBeatLeader(readBody(answer, beatLeaderShape))
    },
    async profileOfChatUser(chatPlatformId) {
      const answer = await find(http, `${baseUrl}/player/discord/`, chatPlatformId, '')
      return answer && fromBeatLeader(readBody(answer, beatLeaderShape))
    },
    ping: () => ping(http, baseUrl),
  }
}

/** Null also for a text that cannot be an id: no account has it, and a path made from it could lead elsewhere. */
async function find(http: HttpClient, before: string, key: string, after: string): Promise<HttpAnswer | null> {
  if (!id.test(key)) return null
  const answer = await http.request({ method: 'GET', url: `${before}${encodeURIComponent(key)}${after}` })
  if (answer.status === 404) return null
  if (answer.status !== 200) throw unexpected(answer)
  return answer
}

async function ping(http: HttpClient, baseUrl: string): Promise<void> {
  await http.request({ method: 'HEAD', url: baseUrl })
}

function fromScoreSaber(player: Static<typeof ScoreSaberPlayer>): RankingProfile {
  return { ...fromAccount(player), profileText: player.bio || null, chatPlatformId: null }
}

function fromBeatLeader(player: Static<typeof BeatLeaderPlayer>): RankingProfile {
  const chat = player.socials?.find(({ service, userId }) => service === 'Discord' && id.test(userId ?? ''))
  return {
    ...fromAccount(player),
    profileText: player.profileSettings?.bio || null,
    chatPlatformId: chat?.userId ?? null,
  }
}

function fromAccount(player: Static<typeof ScoreSaberPlayer>): Omit<RankingProfile, 'profileText' | 'chatPlatformId'> {
  return {
    externalId: player.id,
    name: visibleName(player.name) || player.id,
    country: toCountry(player.country ?? ''),
    rank: player.rank > 0 ? player.rank : null,
    banned: player.banned === true,
    inactive: player.inactive === true,
  }
}

/** Platform A writes codes in upper case, B in lower case, and B writes `not set` for none. */
function toCountry(text: string): string | null {
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null
}
