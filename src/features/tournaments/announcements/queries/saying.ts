import type { ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listMatchesByGuid } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord, StoredSide } from '../../../brackets/matches/types.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import type { AnnouncementKind } from '../../tournaments/types.ts'
import type { AnnouncingTournament } from '../store/facts.ts'
import * as store from '../store/facts.ts'
import type { Matter } from '../types.ts'
import type { MatchFacts, Side } from '../views/matches.ts'
import { type Facts, messageOf, type Placed } from '../views/messages.ts'
import { wordsOf } from '../views/words.ts'

/** What is to be said now. */
export interface Said {
  /** The matters that the message tells of. */
  readonly guids: readonly string[]
  readonly message: ChatMessage
}

/**
 * Says the matters of one kind in one message, by the state that the connection shows; null if nothing of them holds.
 * @param matters in the order in which they happened
 */
export async function sayMatters(
  db: Db,
  tournament: AnnouncingTournament,
  kind: AnnouncementKind,
  matters: readonly Matter[],
  now: Date,
): Promise<Said | null> {
  const found = await readFacts(db, tournament, kind, matters, now)
  if (found === null) return null
  const roles = tournament.announcementRoles[kind] ?? []
  return { guids: found.guids, message: messageOf(found.facts, roles, wordsOf(tournament.language)) }
}

interface Found {
  readonly facts: Facts
  readonly guids: readonly string[]
}

async function readFacts(
  db: Db,
  tournament: AnnouncingTournament,
  kind: AnnouncementKind,
  matters: readonly Matter[],
  now: Date,
): Promise<Found | null> {
  const of = <T>(known: ReadonlyMap<string, T>) => pick(matters, known)
  const subjects = matters.map(({ subjectGuid }) => subjectGuid)
  const { guid } = tournament
  switch (kind) {
    case 'match_called': {
      const known = await mapMatches(db, guid, subjects)
      const holds = pick(matters, known, ({ status }) => status === 'ready' || status === 'running')
      // Of several calls of a match, the last one counts.
      const last = new Map(holds.map(({ matter, value }) => [matter.subjectGuid, { matter, value }]))
      const calls = [...last.values()]
        .toSorted(
          (one, other) => +one.matter.happenedAt - +other.matter.happenedAt || one.value.number - other.value.number,
        )
        .map(({ matter, value: match }) => ({ match, message: matter.detail.message ?? null }))
      return found(holds, { kind, calls })
    }
    case 'match_started': {
      const begun = pick(matters, await mapMatches(db, guid, subjects), ({ status }) => status !== 'ready')
      return found(begun, { kind, matches: inOrder(begun) })
    }
    case 'match_finished': {
      const known = await mapMatches(db, guid, subjects, { withNext: true })
      // What was said already stays, and says that the result was taken back.
      const over = pick(
        matters,
        known,
        ({ status }, { announcementGuid }) => status === 'completed' || announcementGuid !== null,
      )
      return found(over, { kind, matches: inOrder(over) })
    }
    case 'round_ready':
      return readRounds(db, tournament, matters)
    case 'schedule_changed':
      return readSchedule(db, tournament, matters, now)
    case 'registration_opened':
    case 'registration_closing':
      return readRegistration(db, tournament, kind, matters, now)
    case 'team_registered': {
      const named = of(await store.mapRegistered(db, subjects))
      const registered = await store.countRegistered(db, guid)
      const teams = named.map(({ value }) => value)
      return found(named, { kind, teams, registered, capacity: tournament.capacity })
    }
    case 'bracket_published': {
      const known = once(of(await store.mapBrackets(db, guid, subjects)))
      return found(known, { kind, brackets: known.map(({ value }) => value) })
    }
    case 'pool_published': {
      const known = once(of(await store.mapPools(db, subjects)))
      return found(known, { kind, pools: known.map(({ value }) => value) })
    }
    case 'stream_live': {
      const live = of(await store.mapStreams(db, subjects))
      const streams = live.map(({ value }) => value)
      return found(live, { kind, streams, watchUrl: tournament.links.stream })
    }
    case 'placements': {
      if (tournament.status !== 'completed' || tournament.placements.length === 0) return null
      return { guids: matters.map((matter) => matter.guid), facts: await readPlacements(db, tournament) }
    }
  }
}

interface Picked<T> {
  readonly matter: Matter
  readonly value: T
}

/** The matters whose subjects are known and as they should be. */
function pick<T>(
  matters: readonly Matter[],
  known: ReadonlyMap<string, T>,
  holds: (value: T, matter: Matter) => boolean = () => true,
): readonly Picked<T>[] {
  return matters.flatMap((matter) => {
    const value = known.get(matter.subjectGuid)
    return value !== undefined && holds(value, matter) ? [{ matter, value }] : []
  })
}

/** The matches in the order of their numbers. */
function inOrder(picked: readonly Picked<MatchFacts>[]): readonly MatchFacts[] {
  return picked.map(({ value }) => value).toSorted((one, other) => one.number - other.number)
}

/** Each subject once. */
function once<T>(picked: readonly Picked<T>[]): readonly Picked<T>[] {
  return [...new Map(picked.map((each) => [each.matter.subjectGuid, each])).values()]
}

function found(picked: readonly Picked<unknown>[], facts: Facts): Found | null {
  return picked.length === 0 ? null : { facts, guids: picked.map(({ matter }) => matter.guid) }
}

/** The matches with what their lines name. */
export async function mapMatches(
  db: Db,
  tournamentGuid: string,
  guids: readonly string[],
  { withNext = false }: { readonly withNext?: boolean } = {},
): Promise<ReadonlyMap<string, MatchFacts>> {
  const records = await listMatchesByGuid(db, [...new Set(guids)])
  const teamsOf = ({ team1Guid, team2Guid }: MatchRecord) => [team1Guid, team2Guid].filter((team) => team !== null)
  const nextOf = withNext
    ? await store.mapNextMatches(db, tournamentGuid, [...new Set(records.flatMap(teamsOf))])
    : new Map<string, string>()
  const next = new Map((await listMatchesByGuid(db, [...nextOf.values()])).map((match) => [match.guid, match]))
  const all = [...records, ...next.values()]
  const [teams, places] = await Promise.all([
    listTeamSummaries(db, all.flatMap(teamsOf)),
    store.mapPlaces(
      db,
      tournamentGuid,
      all.map(({ guid }) => guid),
    ),
  ])
  const sideOf = ({ from, score }: StoredSide, team: string | null): Side => ({
    team: team === null ? null : (teams.get(team)?.name ?? null),
    from,
    score,
  })
  const sidesOf = ({ sides, team1Guid, team2Guid }: MatchRecord) =>
    [sideOf(sides[0], team1Guid), sideOf(sides[1], team2Guid)] as const
  return new Map(
    records.flatMap((match) => {
      const place = places.get(match.guid)
      if (place === undefined) return []
      const { number, bestOf, status, outcome, scheduledAt, streamUrl } = match
      const facts: MatchFacts = {
        number,
        place,
        sides: sidesOf(match),
        bestOf,
        status,
        outcome,
        scheduledAt,
        streamUrl,
        winner: match.sides.findIndex(({ result }) => result === 'win'),
        games: match.games.map(({ scores, detail }) => ({ scores, map: detail?.map?.name ?? null })),
        next: teamsOf(match).flatMap((team) => {
          const following = next.get(nextOf.get(team) ?? '')
          const where = following === undefined ? undefined : places.get(following.guid)
          const name = teams.get(team)?.name
          if (following === undefined || where === undefined || name === undefined) return []
          const [first, second] = sidesOf(following)
          const other = following.team1Guid === team ? second : first
          return [{ team: name, other, place: where, scheduledAt: following.scheduledAt }]
        }),
      }
      return [[match.guid, facts] as const]
    }),
  )
}

async function readRounds(db: Db, { guid }: AnnouncingTournament, matters: readonly Matter[]): Promise<Found | null> {
  const rounds = []
  for (const matter of matters) {
    const [section = '', round = ''] = (matter.detail.round ?? '').split(':')
    const guids = await store.listRound(db, matter.subjectGuid, [section, Number(round)])
    const matches = [...(await mapMatches(db, guid, guids)).values()]
    const [first] = matches
    if (first === undefined) continue
    const groups = new Set(matches.map(({ place }) => place.groupIndex))
    const place = groups.size > 1 ? { ...first.place, groupIndex: null } : first.place
    rounds.push({ matter, value: { place, matches } })
  }
  return found(rounds, { kind: 'round_ready', rounds: rounds.map(({ value }) => value) })
}

async function readSchedule(
  db: Db,
  { guid }: AnnouncingTournament,
  matters: readonly Matter[],
  now: Date,
): Promise<Found | null> {
  const kind = 'schedule_changed'
  const guids = matters.map((matter) => matter.guid)
  const placed = matters.findLast(({ detail }) => detail.placed !== undefined)?.detail.placed
  if (placed !== undefined) {
    const upcoming = await mapMatches(db, guid, await store.listUpcoming(db, guid, now))
    const soonest = [...upcoming.values()].toSorted(byTime)
    return { guids, facts: { kind, changes: [], schedule: { placed, upcoming: soonest } } }
  }
  const known = await mapMatches(
    db,
    guid,
    matters.map(({ subjectGuid }) => subjectGuid),
  )
  // Of several changes of a match, the first tells what its time was.
  const first = new Map(matters.toReversed().map((matter) => [matter.subjectGuid, matter]))
  const changes = [...first.values()].toReversed().flatMap(({ subjectGuid, detail: { scheduledBefore } }) => {
    const match = known.get(subjectGuid)
    const before = scheduledBefore ? new Date(scheduledBefore) : null
    return match === undefined || match.scheduledAt?.getTime() === before?.getTime() ? [] : [{ match, before }]
  })
  return changes.length === 0
    ? null
    : { guids, facts: { kind, changes: changes.toSorted((a, b) => byTime(a.match, b.match)), schedule: null } }
}

function byTime(one: MatchFacts, other: MatchFacts): number {
  return (one.scheduledAt?.getTime() ?? Infinity) - (other.scheduledAt?.getTime() ?? Infinity) || 0
}

async function readRegistration(
  db: Db,
  tournament: AnnouncingTournament,
  kind: 'registration_opened' | 'registration_closing',
  matters: readonly Matter[],
  now: Date,
): Promise<Found | null> {
  const { name, status, capacity, registrationOpensAt: opensAt, registrationClosesAt: closesAt } = tournament
  const isOpenFor = tournament.publicRegistration && (status === 'approved' || status === 'ongoing')
  if (!isOpenFor || (opensAt !== null && opensAt > now) || (closesAt !== null && closesAt <= now)) return null
  const guids = matters.map((matter) => matter.guid)
  if (kind === 'registration_opened') return { guids, facts: { kind, tournament: name, closesAt } }
  if (closesAt === null) return null
  const registered = await store.countRegistered(db, tournament.guid)
  const placesLeft = capacity === null ? null : Math.max(0, capacity - registered)
  return { guids, facts: { kind, tournament: name, closesAt, placesLeft } }
}

/** How many places are told. */
const maxPlaces = 8

async function readPlacements(db: Db, { name, placements }: AnnouncingTournament): Promise<Facts> {
  const told = placements.filter(({ place }) => place <= maxPlaces)
  const teams = await listTeamSummaries(
    db,
    told.map(({ teamGuid }) => teamGuid),
  )
  const places = [...Map.groupBy(told, ({ place }) => place)]
    .toSorted(([one], [other]) => one - other)
    .map(([place, ones]): Placed => ({ place, teams: ones.flatMap(({ teamGuid }) => teams.get(teamGuid)?.name ?? []) }))
  return { kind: 'placements', tournament: name, places: places.filter((placed) => placed.teams.length > 0) }
}
