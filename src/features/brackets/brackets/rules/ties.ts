import { normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid, type Problem } from '../../../../core/problem.ts'
import { commitmentOf } from '../../../../engine/flows/draws.ts'
import { drawnOrder, seedText, type Tie } from '../../../../engine/ties.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import { type TieRuling, tieDeciders } from '../types.ts'

/** The caller's decision of ties at the cut, in a request that fills a bracket or seeds a qualifier. */
export interface TieInput {
  readonly order?: readonly string[]
  readonly reason?: string
  readonly draw?: boolean
}

export interface TieContext {
  /** GUID of the bracket or qualifier that has the ties. */
  readonly subject: string
  readonly seal: Seal
  /** A dry run draws nothing: a caller who saw the result of the draw could then choose an order instead. */
  readonly isDryRun: boolean
}

/**
 * Decides the ties among the advancing teams by an order with its reason, or by a draw, never by the order of a list.
 *
 * The seed of a draw is derived from a secret of the installation, the table that has the tie, and the tied teams. It
 * is therefore fixed, and its commitment published, before anybody requests the draw. Renaming, other changes and
 * repeated requests do not change the result of the same tie. (D67)
 * @returns null if there is no tie to decide
 * @throws Problem `tie.undecided` (made by `undecided`), `tie.order_invalid`
 */
export function ruleTies(
  ties: readonly Tie[],
  given: TieInput,
  { subject, seal, isDryRun }: TieContext,
  undecided: (ties: readonly Tie[], commitment: string) => Problem,
): TieRuling | null {
  checkDecision(given)
  if (ties.length === 0) {
    if (given.order === undefined) return null
    throw orderInvalid('Nobody is tied for these places, so that there is no order to decide.')
  }
  if (given.order !== undefined) {
    const places = readOrder(given.order, ties)
    const ordered = ties.map((tie) => ({ ...tie, teams: tie.teams.toSorted((a, b) => at(places, a) - at(places, b)) }))
    return { ties: ordered, decidedBy: 'order', reason: given.reason ?? null, commitment: null, seed: null }
  }
  const seeds = ties.map((tie) => Buffer.from(seal(seedText(subject, tie)), 'base64url'))
  const whole = Buffer.concat(seeds)
  const commitment = commitmentOf(whole)
  if (given.draw !== true) throw undecided(ties, commitment)
  const draw = { decidedBy: 'draw', reason: null, commitment } as const
  if (isDryRun) return { ...draw, ties, seed: null }
  const drawn = ties.map((tie, index) => ({ ...tie, teams: drawnOrder(seeds[index] ?? whole, subject, tie) }))
  return { ...draw, ties: drawn, seed: whole.toString('hex') }
}

function checkDecision({ order, reason, draw }: TieInput): void {
  if (order !== undefined && draw === true) throw orderInvalid('Give `order` or `draw`, not both.')
  if (order !== undefined && reason === undefined) throw orderInvalid('Give the `reason` for the `order`.')
  if (order === undefined && reason !== undefined) throw orderInvalid('Give the `order` that the `reason` is for.')
}

/** The position of each team in the order. The order must name every tied team and no other team. */
function readOrder(order: readonly string[], ties: readonly Tie[]): ReadonlyMap<string, number> {
  const places = new Map(order.map((team, index) => [normaliseGuid(team), index]))
  const tied = new Set(ties.flatMap(({ teams }) => teams))
  if (places.size < order.length || places.size !== tied.size || [...tied].some((team) => !places.has(team))) {
    throw orderInvalid('`order` names each of the tied teams once, and no other; ask without it to see who is tied.')
  }
  return places
}

function at(places: ReadonlyMap<string, number>, team: string): number {
  return places.get(team) ?? 0
}

/** Returns the teams of a tie in their decided order; null for a draw that has not been made. */
export function decisionOf({ ties, seed, decidedBy }: TieRuling): ((tie: Tie) => readonly string[]) | null {
  if (decidedBy === 'draw' && seed === null) return null
  return (tie) =>
    ties.find(({ group, places, teams }) => {
      return group === tie.group && places[0] === tie.places[0] && teams.length === tie.teams.length
    })?.teams ?? tie.teams
}

/** @param teams the tied teams, as they are shown */
export function undecidedTies<T extends { readonly name: string }>(
  ties: readonly Tie[],
  commitment: string,
  teams: ReadonlyMap<string, T>,
): Problem {
  const shown = ties.map(({ group, places, teams: tied }) => ({
    groupIndex: group,
    places,
    teams: tied.flatMap((guid) => teams.get(guid) ?? []),
  }))
  const named = enumerated(
    shown.map((tie) =>
      enumerated(
        tie.teams.map(({ name }) => `“${name}”`),
        ', ',
      ),
    ),
    '; ',
  )
  return conflict(
    'tie.undecided',
    `Nothing parts these teams, of which only some go on: ${named}. Decide with \`order\` and \`reason\`, or with \`draw: true\`.`,
    { ties: shown, tied: [...new Set(shown.flatMap((tie) => tie.teams))], decideBy: tieDeciders, commitment },
  )
}

/** A sentence lists only the first items; the members of the answer have all of them. */
function enumerated(words: readonly string[], separator: string): string {
  const more = words.length - maxNamed
  return [...words.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(separator)
}

const maxNamed = 8

/** What the event log says of a ruling. */
export interface LoggedRuling {
  readonly ties?: readonly { readonly places: readonly number[]; readonly teamGuids: readonly string[] }[]
  readonly decidedBy?: TieRuling['decidedBy']
  readonly reason?: string
  readonly commitment?: string
  readonly drawSeed?: string
}

export function loggedRuling(ruling: TieRuling | null): LoggedRuling {
  if (ruling === null) return {}
  const { ties, decidedBy, reason, commitment, seed } = ruling
  return {
    ties: ties.map(({ places, teams }) => ({ places, teamGuids: teams })),
    decidedBy,
    ...(reason === null ? {} : { reason }),
    ...(commitment === null || seed === null ? {} : { commitment, drawSeed: seed }),
  }
}

function orderInvalid(message: string): Problem {
  return invalid('tie.order_invalid', message)
}
