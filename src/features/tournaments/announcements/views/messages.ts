import type { ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import { escaped, fitted, timeOf, type Versions } from '../rules/text.ts'
import { briefLine, gamesLine, type MatchFacts, matchLine, nextLine, resultLine, versus } from './matches.ts'
import { type Place, placeText } from './places.ts'
import type { Words } from './words.ts'

/** The messages of each kind. (additions: The chat channel tells what happens) */

/** What there is to say, of one kind. */
export type Facts =
  | { readonly kind: 'match_called'; readonly calls: readonly Call[] }
  | { readonly kind: 'match_started'; readonly matches: readonly MatchFacts[] }
  | { readonly kind: 'match_finished'; readonly matches: readonly MatchFacts[] }
  | { readonly kind: 'round_ready'; readonly rounds: readonly Round[] }
  | { readonly kind: 'schedule_changed'; readonly changes: readonly Change[]; readonly schedule: Schedule | null }
  | { readonly kind: 'registration_opened'; readonly tournament: string; readonly closesAt: Date | null }
  | {
      readonly kind: 'registration_closing'
      readonly tournament: string
      readonly closesAt: Date
      /** null if the capacity is not limited. */
      readonly placesLeft: number | null
    }
  | {
      readonly kind: 'team_registered'
      readonly teams: readonly string[]
      readonly registered: number
      readonly capacity: number | null
    }
  | { readonly kind: 'bracket_published'; readonly brackets: readonly Bracket[] }
  | { readonly kind: 'pool_published'; readonly pools: readonly { readonly name: string; readonly maps: number }[] }
  | { readonly kind: 'stream_live'; readonly streams: readonly Stream[]; readonly watchUrl: string | null }
  | { readonly kind: 'placements'; readonly tournament: string; readonly places: readonly Placed[] }

export interface Call {
  readonly match: MatchFacts
  readonly message: string | null
}

export interface Round {
  readonly place: Place
  readonly matches: readonly MatchFacts[]
}

export interface Change {
  readonly match: MatchFacts
  readonly before: Date | null
}

export interface Schedule {
  readonly placed: number
  readonly upcoming: readonly MatchFacts[]
}

export interface Bracket {
  readonly division: string | null
  readonly name: string
  readonly teams: number
  readonly matches: number
}

export interface Stream {
  readonly name: string
  readonly role: string | null
}

export interface Placed {
  readonly place: number
  readonly teams: readonly string[]
}

/**
 * One message, whatever there is to say. It mentions these roles alone, and no one by its text.
 * @param roles IDs of roles of the chat
 */
export function messageOf(facts: Facts, roles: readonly string[], say: Words): ChatMessage {
  const { heading, ...rest } = versionsOf(facts, say)
  const mentions = roles.map((role) => `<@&${role}>`).join(' ')
  const content = fitted({ ...rest, heading: mentions === '' ? heading : `${mentions} ${heading}` }, (left) =>
    say('more', { n: left }),
  )
  return { content, embeds: [], ...(roles.length === 0 ? {} : { mentionedRoles: roles }) }
}

/** The message as a test of its channel: it says that it is one, and mentions no one. */
export function testOf(facts: Facts, say: Words): ChatMessage {
  const { heading, ...rest } = versionsOf(facts, say)
  return {
    content: fitted({ ...rest, heading: say('test', { heading }) }, (left) => say('more', { n: left })),
    embeds: [],
  }
}

function versionsOf(facts: Facts, say: Words): Versions {
  switch (facts.kind) {
    case 'match_called':
      return called(facts.calls, say)
    case 'match_started':
      return {
        heading: say('match_started', { n: facts.matches.length }),
        versions: [listed(facts.matches, (match) => matchLine(match, say)), brief(facts.matches, say)],
      }
    case 'match_finished':
      return finished(facts.matches, say)
    case 'round_ready':
      return ready(facts.rounds, say)
    case 'schedule_changed':
      return scheduled(facts.changes, facts.schedule, say)
    case 'registration_opened': {
      const { closesAt } = facts
      const tournament = escaped(facts.tournament)
      const heading =
        closesAt === null
          ? say('registration_opened', { tournament })
          : say('registration_opened_until', { tournament, closes: timeOf(closesAt) })
      return { heading, versions: [[]] }
    }
    case 'registration_closing': {
      const { closesAt, placesLeft } = facts
      const times = { closes: timeOf(closesAt), relative: timeOf(closesAt, 'R') }
      return {
        heading: say('registration_closing', { tournament: escaped(facts.tournament), ...times }),
        versions: [placesLeft === null ? [] : [say('places_left', { n: placesLeft })]],
      }
    }
    case 'team_registered': {
      const { teams, registered: n, capacity } = facts
      return {
        heading: say('team_registered', { n: teams.length }),
        versions: [listed(teams, (name) => `**${escaped(name)}**`)],
        footer: capacity === null ? say('registered', { n }) : say('registered_of', { n, capacity }),
      }
    }
    case 'bracket_published':
      return {
        heading: say('bracket_published', { n: facts.brackets.length }),
        versions: [
          listed(facts.brackets, ({ division, name, teams, matches }) =>
            say('bracket_line', {
              bracket: [...(division === null ? [] : [division]), name].map(escaped).join(' · '),
              teams,
              matches,
            }),
          ),
        ],
      }
    case 'pool_published':
      return {
        heading: say('pool_published', { n: facts.pools.length }),
        versions: [listed(facts.pools, ({ name, maps }) => say('pool_line', { pool: escaped(name), maps }))],
      }
    case 'stream_live': {
      const { streams, watchUrl } = facts
      return {
        heading: say('stream_live'),
        versions: [
          listed(streams, ({ name, role }) => say('stream_line', { name: escaped(name), role: role ?? 'none' })),
        ],
        footer: watchUrl === null ? '' : say('watch', { address: `<${new URL(watchUrl).href}>` }),
      }
    }
    case 'placements': {
      const lines = facts.places.map(({ place, teams }) =>
        say('placement', {
          place,
          teams: teams.map((name) => (place === 1 ? `**${escaped(name)}**` : escaped(name))).join(', '),
        }),
      )
      return { heading: say('placements', { tournament: escaped(facts.tournament) }), versions: [lines] }
    }
  }
}

/** One line is a text, several are a list. */
function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 1 ? items.map(line) : items.map((item) => `- ${line(item)}`)
}

/** Lines that are read below another one. */
function indented(items: readonly unknown[], lines: readonly (string | null)[]): string {
  const indent = items.length === 1 ? '' : '  '
  return lines.flatMap((line) => (line === null ? [] : [`\n${indent}${line}`])).join('')
}

function brief(matches: readonly MatchFacts[], say: Words): string[] {
  return listed(matches, (match) => briefLine(match, say))
}

function called(calls: readonly Call[], say: Words): Versions {
  const matches = calls.map(({ match }) => match)
  return {
    heading: say('match_called', { n: calls.length }),
    versions: [
      listed(calls, ({ match, message }) => {
        // A quotation begins with its line, so it is not indented.
        const note = message === null ? '' : `\n${say('note', { text: escaped(message) })}`
        return `${matchLine(match, say)}${note}`
      }),
      listed(matches, (match) => matchLine(match, say)),
      brief(matches, say),
    ],
  }
}

/** How many results are told with their maps, and with the next matches. */
const detailedResults = { games: 4, next: 8 }

function finished(matches: readonly MatchFacts[], say: Words): Versions {
  const version = (parts: { readonly games: boolean; readonly next: boolean }) =>
    listed(matches, (match) => {
      const games = parts.games ? gamesLine(match, say) : null
      const next = parts.next ? nextLine(match, say) : null
      return `${resultLine(match, say)}${indented(matches, [games, next])}`
    })
  const [games, next] = [matches.length <= detailedResults.games, matches.length <= detailedResults.next]
  return {
    heading: say('match_finished', { n: matches.length }),
    versions: [version({ games, next }), version({ games: false, next }), version({ games: false, next: false })],
  }
}

function ready(rounds: readonly Round[], say: Words): Versions {
  const [round] = rounds
  if (round !== undefined && rounds.length === 1) {
    const { matches } = round
    return {
      heading: say('round_ready', { place: placeText(round.place, say), n: matches.length }),
      versions: [listed(matches, (match) => withoutPlace(match, say))],
    }
  }
  return {
    heading: say('rounds_ready', { n: rounds.length }),
    versions: [
      rounds.map(({ place, matches }) => {
        const pairs = matches.map((match) => versus(match, say)).join(', ')
        return `- ${say('round_pairs', { place: placeText(place, say), matches: pairs })}`
      }),
      rounds.map(({ place, matches }) => `- ${say('round_line', { place: placeText(place, say), n: matches.length })}`),
    ],
  }
}

function withoutPlace(match: MatchFacts, say: Words): string {
  const { scheduledAt } = match
  const line = versus(match, say)
  return scheduledAt === null ? line : say('schedule_line', { time: timeOf(scheduledAt), match: line })
}

function scheduled(changes: readonly Change[], schedule: Schedule | null, say: Words): Versions {
  if (schedule !== null) {
    const { placed: n, upcoming } = schedule
    return {
      heading: say(upcoming.length === 0 ? 'schedule_set_plain' : 'schedule_set', { n }),
      versions: [upcoming.map((match) => `- ${timeLine({ match, before: null }, say)}`)],
    }
  }
  return {
    heading: say('schedule_changed', { n: changes.length }),
    versions: [listed(changes, (change) => timeLine(change, say))],
  }
}

function timeLine({ match, before }: Change, say: Words): string {
  const line = briefLine(match, say)
  const { scheduledAt } = match
  if (scheduledAt === null)
    return say('schedule_unset', { before: before === null ? '–' : timeOf(before), match: line })
  if (before === null || before.getTime() === scheduledAt.getTime()) {
    return say('schedule_line', { time: timeOf(scheduledAt), match: line })
  }
  return say('schedule_moved', { time: timeOf(scheduledAt), before: timeOf(before), match: line })
}
