import type { TreePlayer, TreeSide, TreeStream } from '../../../../engine/scenes/tree.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { userCard } from '../../../people/users/views.ts'
import type { Watched } from '../../../streaming/streamSessions/queries.ts'
import type { TeamMember } from '../../../teams/teams/types.ts'
import { placeholderOf } from '../rules.ts'

export const maxPlayers = 6

/** The records that the views of sides need. */
export interface SideFacts {
  readonly isSolo: boolean
  /** By GUID of the team. */
  readonly seeds: ReadonlyMap<string, number | null>
  readonly members: ReadonlyMap<string, readonly TeamMember[]>
  readonly users: ReadonlyMap<string, UserFacts>
  readonly streams: ReadonlyMap<string, Watched>
  /** The players that each side has named, in order; null for a side that has named none. */
  readonly lineups: readonly (readonly string[] | null)[]
}

const noSide: MatchView['sides'][number] = { team: null, from: null, bye: false, score: null, result: null }

/** @param match null for two sides without known teams (overlays: Data tree) */
export function treeSide(number: 1 | 2, match: MatchView | null, facts: SideFacts): TreeSide {
  const side = match?.sides[number - 1] ?? noSide
  const { team, score, result } = side
  if (team === null) return { number, team, placeholder: placeholderOf(side), score, result, players: [] }
  const { guid, name, imageUrl, color } = team
  return {
    number,
    placeholder: null,
    score,
    result,
    team: { guid, name, imageUrl, color, isSolo: facts.isSolo, seed: facts.seeds.get(guid) ?? null },
    players: playersOf(facts.members.get(guid) ?? [], facts.lineups[number - 1] ?? null)
      .flatMap((user) => facts.users.get(user) ?? [])
      .map((user) => treePlayer(user, facts.streams.get(user.guid))),
  }
}

/**
 * Returns the players of a side: the members named for the map, otherwise the active members in the order in which they
 * joined; at most six. (overlays: Data tree)
 */
export function playersOf(members: readonly TeamMember[], lineup: readonly string[] | null): readonly string[] {
  const named = (lineup ?? []).filter((guid) => members.some(({ userGuid }) => userGuid === guid))
  const active = members.filter(({ isActive }) => isActive).map(({ userGuid }) => userGuid)
  return (named.length > 0 ? named : active).slice(0, maxPlayers)
}

function treePlayer(facts: UserFacts, stream: Watched | undefined): TreePlayer {
  const { guid, preferredName, avatarUrl, country, pronouns } = userCard(facts)
  const { rankA, rankB } = facts
  return {
    guid,
    name: preferredName,
    avatarUrl,
    country,
    pronouns,
    headset: null,
    rankA,
    rankB,
    stream: stream === undefined ? null : treeStream(stream),
  }
}

function treeStream({ live, play, embedUrl }: Watched): TreeStream {
  const { whep, llhls, hls } = play
  return { live, whep, llhls, hls, embed: embedUrl }
}
