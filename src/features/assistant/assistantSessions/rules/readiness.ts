import { isOtherMap } from './attaching.ts'
import type { Machine, OpenPlay } from './machine.ts'
import { bannedModsOf, holdsMap, missingOf, presentOf } from './players.ts'

export interface Reason {
  readonly code: string
  readonly user: string | null
}

/** The reasons against starting a song now. A start may ignore them by their codes. (AS12; assistant: Details, 5) */
export function reasonsAgainst(
  m: Machine,
  players: readonly string[] | null,
  mode: OpenPlay['mode'],
): readonly Reason[] {
  const wanted = m.expected.filter(({ userGuid }) => players === null || players.includes(userGuid))
  const present = presentOf(m, players)
  const of = (code: string, users: readonly { readonly userGuid: string }[]): Reason[] =>
    users.map(({ userGuid }) => ({ code, user: userGuid }))
  const missing = new Set(missingOf(m))
  const there = present.map(({ player }) => player)
  const banned = present.filter(({ user }) => bannedModsOf(m, user).length > 0).map(({ player }) => player)
  return [
    ...(m.map === null ? [{ code: 'no_map', user: null }] : []),
    ...(there.length === 0 ? [{ code: 'nobody', user: null }] : []),
    ...(m.match === null ? [{ code: 'no_match', user: null }] : []),
    ...of(
      'player_missing',
      wanted.filter((player) => missing.has(player)),
    ),
    ...of(
      'not_loaded',
      there.filter(({ userGuid }) => !holdsMap(m, userGuid)),
    ),
    ...of(
      'not_ready',
      there.filter(({ userGuid }) => (m.checks.get(userGuid) ?? 'ready') !== 'ready'),
    ),
    ...of('banned_mod', banned),
    ...(isOtherMap(m) ? [{ code: 'other_map', user: null }] : []),
    ...(m.match !== null && m.match.leader !== m.self ? [{ code: 'other_leader', user: null }] : []),
    ...(mode === 'synced'
      ? of(
          'no_delay',
          there.filter(({ userGuid }) => !m.delays.has(userGuid)),
        )
      : []),
  ]
}

/** Reasons that cannot be ignored, because there is nothing to start. */
export const never: ReadonlySet<string> = new Set(['no_map', 'nobody', 'no_match'])
