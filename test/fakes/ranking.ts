import { type FakeAnswer, type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** The accounts of the ranking platforms in their own formats: ScoreSaber (API version 1) and BeatLeader. */

export interface FakeRanking<Player> extends FakeServer {
  readonly players: {
    /** Adds a player; missing members are made up, and the id is always new. */
    add(player?: Partial<Player>): Player
    /** Changes an existing account, also its id. */
    change(id: string, changes: Partial<Player>): Player
  }
  readonly leaderboards: {
    /** Adds the leaderboard of a difficulty of a map version; its id is new by default. */
    add(of: LeaderboardOf): string
  }
}

export interface LeaderboardOf {
  readonly hash: string
  /** 1, 3, 5, 7 or 9. */
  readonly difficulty: number
  readonly characteristic?: string
  readonly id?: string
}

export interface ScoreSaberPlayer {
  readonly id: string
  readonly name: string
  readonly profilePicture: string
  readonly bio: string | null
  readonly country: string
  readonly pp: number
  /** 0 while unranked. */
  readonly rank: number
  readonly countryRank: number
  readonly role: string | null
  readonly badges: readonly { readonly description: string; readonly image: string }[]
  /** The ranks of the last days, separated by commas. */
  readonly histories: string
  readonly permissions: number
  readonly banned: boolean
  readonly inactive: boolean
  readonly firstSeen: string
  readonly scoreStats: {
    readonly totalScore: number
    readonly totalRankedScore: number
    readonly averageRankedAccuracy: number
    readonly totalPlayCount: number
    readonly rankedPlayCount: number
    readonly replaysWatched: number
  }
}

export interface BeatLeaderSocial {
  readonly id: number
  readonly service: string
  readonly link: string
  readonly user: string
  readonly userId: string
  readonly playerId: string | null
  readonly hidden: boolean
}

export interface BeatLeaderPlayer {
  readonly id: string
  readonly name: string
  readonly platform: string
  readonly avatar: string
  /** In lower case, or `not set`. */
  readonly country: string
  readonly alias: string | null
  readonly bot: boolean
  readonly pp: number
  readonly accPp: number
  readonly techPp: number
  readonly passPp: number
  readonly rank: number
  readonly countryRank: number
  readonly level: number
  readonly experience: number
  readonly prestige: number
  readonly role: string
  readonly banned: boolean
  readonly inactive: boolean
  readonly externalProfileUrl: string
  readonly clanOrder: string
  readonly clans: readonly {
    readonly id: number
    readonly tag: string
    readonly color: string
    readonly name: string | null
  }[]
  readonly badges: readonly object[]
  readonly socials: readonly BeatLeaderSocial[]
  readonly linkedIds: {
    readonly steamId: string | null
    readonly oculusPCId: string | null
    readonly questId: number | null
  } | null
  readonly profileSettings: { readonly bio: string | null; readonly [member: string]: unknown }
  readonly scoreStats: object
}

/** Its `url` replaces `https://scoresaber.com/api`. */
export async function startFakeScoreSaber(): Promise<FakeRanking<ScoreSaberPlayer>> {
  return start({
    madeUp: scoreSaberPlayer,
    leaderboard: scoreSaberLeaderboard,
    answer(players, { path }, leaderboards) {
      const board = /^\/leaderboard\/by-id\/(\d+)\/info$/.exec(path)?.[1]
      if (board !== undefined && leaderboards.has(board)) return { status: 200, body: leaderboards.get(board) }
      const [, id = '', form] = /^\/player\/(\d+)\/(basic|full)$/.exec(path) ?? []
      const player = players.get(id)
      if (player === undefined) return { status: 404, body: { errorMessage: 'Player not found' } }
      return { status: 200, body: form === 'full' ? player : { ...player, badges: null, scoreStats: null } }
    },
    limited: scoreSaberLimited,
  })
}

/** Its `url` replaces `https://api.beatleader.com`. */
export async function startFakeBeatLeader(): Promise<FakeRanking<BeatLeaderPlayer>> {
  return start({
    madeUp: beatLeaderPlayer,
    leaderboard: beatLeaderLeaderboard,
    answer(players, { path, query }, leaderboards) {
      const board = /^\/leaderboard\/(\w+)$/.exec(path)?.[1]
      if (board !== undefined && leaderboards.has(board)) return { status: 200, body: leaderboards.get(board) }
      const [, discord, id = ''] = /^\/player\/(discord\/)?(\d+)$/.exec(path) ?? []
      const player = [...players.values()].find((one) => (discord ? isLinkedTo(one, id) : isKnownAs(one, id)))
      if (player === undefined) return { status: 404 }
      const { profileSettings, socials, scoreStats, badges, clans, ...rest } = player
      if (query.get('stats') === 'false') return { status: 200, body: rest }
      return { status: 200, body: query.get('keepOriginalId') === 'true' && !discord ? { ...player, id } : player }
    },
    limited: beatLeaderLimited,
  })
}

/** The link of a platform account to a chat account. */
export function chatSocial(chatPlatformId: string, user = 'somebody'): BeatLeaderSocial {
  return { id: 1, service: 'Discord', link: '', user, userId: chatPlatformId, playerId: null, hidden: false }
}

interface Platform<Player> {
  madeUp(number: number): Player
  answer(
    players: ReadonlyMap<string, Player>,
    request: SeenRequest,
    leaderboards: ReadonlyMap<string, object>,
  ): FakeAnswer
  /** The id is derived from the number by default. */
  leaderboard(number: number, of: LeaderboardOf): { readonly id: number | string }
  limited(waitS: number | null): FakeAnswer
}

async function start<Player extends { readonly id: string }>(platform: Platform<Player>): Promise<FakeRanking<Player>> {
  const players = new Map<string, Player>()
  const put = (player: Player) => {
    players.set(player.id, player)
    return player
  }
  const leaderboards = new Map<string, object>()
  const server = await startFakeServer({
    answer: (request) => platform.answer(players, request, leaderboards),
    limited: platform.limited,
  })
  return {
    ...server,
    players: {
      add: (player = {}) => put({ ...platform.madeUp(players.size + 1), ...player }),
      change(id, changes) {
        const player = players.get(id)
        if (player === undefined) throw new Error(`the fake ranking platform has no account ${id}`)
        players.delete(id)
        return put({ ...player, ...changes })
      },
    },
    leaderboards: {
      add(of) {
        const leaderboard = platform.leaderboard(leaderboards.size + 1, of)
        leaderboards.set(String(leaderboard.id), leaderboard)
        return String(leaderboard.id)
      },
    },
  }
}

/** All ids of merged accounts lead to the remaining one. */
function isKnownAs({ id, linkedIds }: BeatLeaderPlayer, key: string): boolean {
  const { steamId, oculusPCId, questId } = linkedIds ?? {}
  return [id, steamId, oculusPCId, questId].some((known) => known != null && String(known) === key)
}

function isLinkedTo({ socials }: BeatLeaderPlayer, chatPlatformId: string): boolean {
  return socials.some(({ service, userId }) => service === 'Discord' && userId === chatPlatformId)
}

function steamId(number: number): string {
  return String(76_561_198_000_000_000n + BigInt(number))
}

function scoreSaberPlayer(number: number): ScoreSaberPlayer {
  const id = steamId(number)
  return {
    id,
    name: `Saber ${number}`,
    profilePicture: `https://cdn.scoresaber.com/avatars/${id}.jpg`,
    bio: null,
    country: 'DE',
    pp: 12_345.67,
    rank: 100 + number,
    countryRank: number,
    role: null,
    badges: [],
    histories: Array.from({ length: 49 }, (_, day) => 150 + number - day).join(','),
    permissions: 0,
    banned: false,
    inactive: false,
    firstSeen: '2021-03-04T05:06:07.000Z',
    scoreStats: {
      totalScore: 987_654_321,
      totalRankedScore: 456_789_012,
      averageRankedAccuracy: 95.123456,
      totalPlayCount: 2_345,
      rankedPlayCount: 1_234,
      replaysWatched: 56,
    },
  }
}

function beatLeaderPlayer(number: number): BeatLeaderPlayer {
  const id = steamId(number)
  return {
    id,
    name: `Leader ${number}`,
    platform: 'steam',
    avatar: `https://cdn.assets.beatleader.com/${id}.png`,
    country: 'fr',
    alias: null,
    bot: false,
    pp: 11_222.33,
    accPp: 4_321.1,
    techPp: 3_210.9,
    passPp: 2_109.8,
    rank: 200 + number,
    countryRank: number,
    level: 40,
    experience: 123_456,
    prestige: 0,
    role: '',
    banned: false,
    inactive: false,
    externalProfileUrl: `https://steamcommunity.com/profiles/${id}/`,
    clanOrder: '',
    clans: [],
    badges: [],
    socials: [],
    linkedIds: null,
    profileSettings: profileSettings(number),
    scoreStats: {
      id: number,
      totalScore: 987_654_321,
      totalRankedScore: 456_789_012,
      averageRankedAccuracy: 0.95123456,
      topAccuracy: 0.9876,
      topPp: 512.3,
      peakRank: 150,
      rankedPlayCount: 1_234,
      unrankedPlayCount: 1_111,
      totalPlayCount: 2_345,
      topPlatform: 'steam',
      topHMD: 64,
      topPercentile: 0.01,
      replaysWatched: 56,
    },
  }
}

const difficultyNames: Readonly<Record<number, string>> = {
  1: 'Easy',
  3: 'Normal',
  5: 'Hard',
  7: 'Expert',
  9: 'ExpertPlus',
}

function scoreSaberLeaderboard(
  number: number,
  { hash, difficulty: value, characteristic = 'Standard', id: given }: LeaderboardOf,
) {
  const id = Number(given ?? 400_000 + number)
  const gameMode = `Solo${characteristic}`
  const difficulty = {
    leaderboardId: id,
    difficulty: value,
    gameMode,
    difficultyRaw: `_${difficultyNames[value]}_${gameMode}`,
  }
  return {
    id,
    songHash: hash.toUpperCase(),
    songName: `Song ${number}`,
    songSubName: '',
    songAuthorName: 'Artist',
    levelAuthorName: 'Mapper',
    difficulty,
    maxScore: 740_255,
    maxScoreEx: 0,
    createdDate: '2026-02-03T04:05:06.000Z',
    rankedDate: null,
    qualifiedDate: null,
    lovedDate: null,
    ranked: false,
    qualified: false,
    loved: false,
    maxPP: -1,
    stars: 0,
    positiveModifiers: false,
    playerScore: null,
    plays: 12,
    dailyPlays: 1,
    coverImage: `https://cdn.scoresaber.com/covers/${hash.toUpperCase()}.png`,
    difficulties: [difficulty],
  }
}

function beatLeaderLeaderboard(
  number: number,
  { hash, difficulty: value, characteristic = 'Standard', id: given }: LeaderboardOf,
) {
  const songId = (0x1b000 + number).toString(16)
  const modes: readonly string[] = ['Standard', 'OneSaber', 'NoArrows', '90Degree', '360Degree', 'Lightshow', 'Lawless']
  const mode = modes.indexOf(characteristic) + 1
  return {
    id: given ?? `${songId}${value}${mode}`,
    song: {
      id: songId,
      hash,
      name: `Song ${number}`,
      subName: '',
      author: 'Artist',
      mapper: 'Mapper',
      mapperId: 4,
      coverImage: `https://eu.cdn.example.org/${hash}.jpg`,
      bpm: 174.5,
      duration: 203,
    },
    difficulty: {
      id: number,
      value,
      mode,
      difficultyName: difficultyNames[value],
      modeName: characteristic,
      status: 0,
      modifierValues: {},
      modifiersRating: null,
      nominatedTime: 0,
      qualifiedTime: 0,
      rankedTime: 0,
      stars: null,
      predictedAcc: null,
      passRating: null,
      accRating: null,
      techRating: null,
      multiRating: null,
      type: 0,
      njs: 18,
      nps: 4.1,
      notes: 812,
      bombs: 14,
      walls: 23,
      maxScore: 740_255,
      duration: 203,
      requirements: -1,
    },
  }
}

function profileSettings(id: number): BeatLeaderPlayer['profileSettings'] {
  return {
    id,
    bio: null,
    message: null,
    effectName: '',
    profileAppearance: 'topPp,averageRankedAccuracy',
    hue: 0,
    saturation: 1,
    leftSaberColor: null,
    rightSaberColor: null,
    profileCover: null,
    starredFriends: '',
    horizontalRichBio: false,
    rankedMapperSort: null,
    showBots: false,
    showAllRatings: false,
    showExplicitCovers: false,
    showStatsPublic: true,
    showStatsPublicPinned: true,
  }
}

/** Reports when the minute of the budget ends, in Unix seconds. */
function scoreSaberLimited(waitS: number | null): FakeAnswer {
  if (waitS === null) return { status: 429, body: 'Too Many Requests' }
  const reset = String(Math.ceil(Date.now() / 1_000 + waitS))
  const headers = { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
  return { status: 429, headers, body: { errorMessage: 'Too Many Requests' } }
}

function beatLeaderLimited(waitS: number | null): FakeAnswer {
  const body = 'API calls quota exceeded! maximum admitted 10 per 10s.'
  return { status: 429, body, ...(waitS === null ? {} : { headers: { 'retry-after': String(Math.ceil(waitS)) } }) }
}
