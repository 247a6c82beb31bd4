import { useMemo } from 'react'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { staffAddress, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'

/** The names of what the log tells by GUIDs: people of the staff, teams and their members. */

export interface Person {
  readonly guid: string
  readonly preferredName: string
}

export interface Names {
  readonly people: readonly Person[]
  /** The name of a person of the staff, of a team or of a member; undefined for others. */
  readonly nameOf: (guid: string) => string | undefined
}

export function useNames(): Names {
  const tournament = useTournamentId()
  const staff = useRead(staffAddress(tournament)).data
  const teams = useRead(address('/tournaments/{tournament}/teams', { tournament }, { limit: 100 })).data?.teams
  return useMemo((): Names => {
    const users = staff?.flatMap((group): readonly Person[] => group.users) ?? []
    const people: readonly Person[] = [...new Map<string, Person>(users.map((user) => [user.guid, user])).values()]
    const members = (teams ?? []).flatMap((team) => team.members.map(({ user }) => user))
    const names = new Map<string, string>([
      ...members.map(({ guid, preferredName }) => [guid, preferredName] as const),
      ...people.map(({ guid, preferredName }) => [guid, preferredName] as const),
      ...(teams ?? []).map(({ guid, name }) => [guid, name] as const),
    ])
    return { people, nameOf: (guid: string) => names.get(guid) }
  }, [staff, teams])
}

/** What an entry happened to, where it has a name. */
export function subjectOf(
  {
    subject,
    before,
    after,
  }: {
    readonly subject: string | null
    readonly before: Readonly<Record<string, unknown>> | null
    readonly after: Readonly<Record<string, unknown>> | null
  },
  { nameOf }: Names,
): string | undefined {
  const number = after?.number ?? before?.number
  if (typeof number === 'number') return words('audit.match', { number })
  const own = after?.name ?? before?.name ?? after?.title ?? before?.title
  return (subject === null ? undefined : nameOf(subject)) ?? (typeof own === 'string' && own !== '' ? own : undefined)
}
