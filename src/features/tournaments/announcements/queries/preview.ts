import type { ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { webhookOf } from '../../chatDeliveries/rules/webhooks.ts'
import type { AnnouncementKind } from '../../tournaments/types.ts'
import { type AnnouncingTournament, listSamples, mapTournaments } from '../store/facts.ts'
import type { MatchFacts, Side } from '../views/matches.ts'
import { type Facts, messageOf, testOf } from '../views/messages.ts'
import type { Place } from '../views/places.ts'
import { wordsOf } from '../views/words.ts'
import { mapMatches } from './saying.ts'

export interface Preview {
  readonly kind: AnnouncementKind
  readonly channel: string | null
  readonly content: string
  readonly mentionedRoles: string[]
  /** The message as a test of the channel: it says so, and mentions no one. */
  readonly test: ChatMessage
}

/** What would be said of each kind, with what the tournament has of it. */
export async function previewAnnouncements(
  db: Db,
  tournamentGuid: string,
  kinds: readonly AnnouncementKind[],
  now: Date,
): Promise<Preview[]> {
  const tournament = (await mapTournaments(db, [tournamentGuid])).get(tournamentGuid)
  if (tournament === undefined) return []
  const samples = await readSamples(db, tournament)
  const say = wordsOf(tournament.language)
  return [...new Set(kinds)].map((kind) => {
    const channel = tournament.announcements[kind]
    const mentionedRoles = tournament.announcementRoles[kind] ?? []
    const facts = sampleOf(kind, tournament, samples, now)
    return {
      kind,
      channel: channel === undefined || webhookOf(tournament, channel) === null ? null : channel,
      content: messageOf(facts, mentionedRoles, say).content,
      test: testOf(facts, say),
      mentionedRoles: [...mentionedRoles],
    }
  })
}

interface Samples {
  readonly teams: readonly [string, string]
  readonly match: MatchFacts
  readonly pool: string
}

async function readSamples(db: Db, tournament: AnnouncingTournament): Promise<Samples> {
  const { matchGuid, teams, pool } = await listSamples(db, tournament.guid)
  const [first = 'Team 1', second = 'Team 2'] = teams
  const match = matchGuid === null ? undefined : (await mapMatches(db, tournament.guid, [matchGuid])).get(matchGuid)
  const side = (team: string): Side => ({ team, from: null, score: null })
  const [one, other] = match?.sides ?? [side(first), side(second)]
  return {
    teams: [first, second],
    pool: pool ?? 'Pool 1',
    match: {
      ...(match ?? unplayed),
      sides: [
        { ...one, team: one.team ?? first },
        { ...other, team: other.team ?? second },
      ],
    },
  }
}

const place: Place = {
  division: null,
  bracket: 'Playoffs',
  format: 'single_elimination',
  section: 'upper',
  round: 1,
  lastRound: 2,
  groupIndex: null,
}

const unplayed: Omit<MatchFacts, 'sides'> = {
  number: 1,
  place,
  bestOf: 3,
  status: 'ready',
  outcome: null,
  winner: null,
  scheduledAt: null,
  streamUrl: null,
  games: [],
  next: [],
}

const hourMs = 3_600_000

function sampleOf(kind: AnnouncementKind, tournament: AnnouncingTournament, samples: Samples, now: Date): Facts {
  const { match, teams, pool } = samples
  const { name, capacity } = tournament
  const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs)
  switch (kind) {
    case 'match_called':
      return { kind, calls: [{ match, message: null }] }
    case 'match_started':
      return { kind, matches: [match] }
    case 'match_finished':
      return { kind, matches: [finished(match)] }
    case 'round_ready':
      return { kind, rounds: [{ place: match.place, matches: [match] }] }
    case 'schedule_changed': {
      const moved = { ...match, scheduledAt: inHours(25) }
      return { kind, changes: [{ match: moved, before: inHours(24) }], schedule: null }
    }
    case 'registration_opened':
      return { kind, tournament: name, closesAt: tournament.registrationClosesAt }
    case 'registration_closing': {
      const closesAt = tournament.registrationClosesAt ?? inHours(24)
      return { kind, tournament: name, closesAt, placesLeft: capacity === null ? null : 1 }
    }
    case 'team_registered':
      return { kind, teams: [teams[0]], registered: 1, capacity }
    case 'bracket_published':
      return { kind, brackets: [{ division: match.place.division, name: match.place.bracket, teams: 2, matches: 1 }] }
    case 'pool_published':
      return { kind, pools: [{ name: pool, maps: 1 }] }
    case 'stream_live':
      return { kind, streams: [{ name: teams[0], role: null }], watchUrl: tournament.links.stream }
    case 'placements': {
      const places = teams.map((team, index) => ({ place: index + 1, teams: [team] }))
      return { kind, tournament: name, places }
    }
  }
}

/** The match as if its first team had won it. */
function finished(match: MatchFacts): MatchFacts {
  const [first, second] = match.sides
  const won = (match.bestOf + 1) / 2
  return {
    ...match,
    sides: [
      { ...first, score: won },
      { ...second, score: won - 1 },
    ],
    status: 'completed',
    outcome: 'score',
    winner: 0,
  }
}
