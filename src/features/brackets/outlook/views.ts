import { type Static, Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { type Outlook, outlookStatuses } from '../../../engine/outlook/types.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import type { QualifierMap } from '../qualifiers/types.ts'
import type { QualifierOutlook } from './queries.ts'

const Status = oneOf(outlookStatuses, {
  description:
    '`clinched`: sure of a place, whatever happens; `eliminated`: without one, whatever happens; `tied`: nothing is left to play, and the last place goes to several who share a rank.',
})

const Next = Type.Object({
  matchGuid: Guid,
  ifWin: Status,
  ifDraw: nullable(oneOf(outlookStatuses), 'null where matches do not end in draws.'),
  ifLoss: Status,
})

/**
 * The schema of the answer that says which teams can still reach a place in a bracket's table. (match-flows:
 * Spectators, rule 2)
 */
export const BracketOutlookView = Type.Object(
  {
    places: Type.Integer({ examples: [2] }),
    basis: oneOf(['points'], { description: 'By what it is told: level points decide nothing before the end.' }),
    exact: Type.Boolean({
      description:
        'Whether all that may still happen was looked at. Otherwise whoever is `alive` may be sure already; what else is told holds.',
    }),
    rows: Type.Array(
      Type.Object({
        team: TeamRef,
        group: nullable(Type.Integer(), 'Group of a round robin, from 0.'),
        points: Type.Number({ examples: [6] }),
        status: Status,
        next: nullable(Next, 'What becomes of the team by how the next match ends that it is known to play.'),
      }),
      { description: 'In the order of the standings.' },
    ),
  },
  { title: 'BracketOutlook' },
)
export type BracketOutlookView = Static<typeof BracketOutlookView>

interface Around {
  readonly places: number
  readonly teams: ReadonlyMap<string, TeamRef>
  /** GUIDs of matches, by number. */
  readonly guids: ReadonlyMap<number, string>
}

export function bracketOutlookView({ exact, rows }: Outlook, { places, teams, guids }: Around): BracketOutlookView {
  return {
    places,
    basis: 'points',
    exact,
    rows: rows.map(({ team, group, points, status, next }) => {
      if (next === null) return { team: found(teams.get(team)), group, points, status, next }
      const { match, ...endings } = next
      return {
        team: found(teams.get(team)),
        group,
        points,
        status,
        next: { matchGuid: found(guids.get(match)), ...endings },
      }
    }),
  }
}

const AttemptsLeft = nullable(
  Type.Integer({ examples: [3] }),
  'Of all active members together, each of whom has so many on each map; null without a limit.',
)

/** The schema of the answer that says which teams can still qualify. (match-flows: Spectators, rule 5) */
export const QualifierOutlookView = Type.Object(
  {
    cutoff: nullable(Type.Integer({ examples: [32] }), 'How many teams advance; without it everybody is `alive`.'),
    rows: Type.Array(
      Type.Object({
        team: TeamRef,
        rank: nullable(Type.Integer({ examples: [1] }), 'null for a team without a result.'),
        value: nullable(Type.Number({ examples: [0.948_2] }), 'By the method.'),
        status: Status,
        needs: Type.Array(
          Type.Object({
            map: Guid,
            score: nullable(
              Type.Integer({ examples: [912_345] }),
              'The least score of the team on this map alone with which its value would be above the one that is the last to advance now; null where no score would do, where no attempt is left, or where nobody knows the highest score of the map.',
            ),
            attemptsLeft: AttemptsLeft,
          }),
          {
            description:
              'By map, while it is open. Empty for teams that are above the cutoff, and for methods by which a result changes what others have.',
          },
        ),
        attemptsLeft: nullable(Type.Integer({ examples: [6] }), 'On all maps together; null without a limit.'),
      }),
      { description: 'In the order of the standings; empty for those who do not see all of these.' },
    ),
  },
  { title: 'QualifierOutlook' },
)
export type QualifierOutlookView = Static<typeof QualifierOutlookView>

/**
 * The rows, with the maps that the caller may see. While some maps are hidden from the caller, every team's status is
 * `alive`: a certain status would reveal that there are more maps. (pools: What outsiders see)
 */
export function qualifierOutlookRows(
  { board, rows, attemptsLeft }: QualifierOutlook,
  visible: readonly QualifierMap[],
  isOver: boolean,
): QualifierOutlookView['rows'] {
  const teams = new Map(board.teams.map((team) => [team.guid, team]))
  const ranked = new Map(board.standings.teams.map((row) => [row.entrant, row]))
  const shown = new Set(visible.map(({ guid }) => guid))
  const showsStatus = isOver || shown.size === board.input.maps.length
  return rows.map(({ team: guid, status, needs }) => {
    const { id, name, imageUrl, color } = found(teams.get(guid))
    const { rank = null, value = null } = ranked.get(guid) ?? {}
    return {
      team: { guid, id, name, imageUrl, color },
      rank,
      value,
      status: showsStatus ? status : 'alive',
      needs: needs
        .filter(({ map }) => shown.has(map))
        .map(({ map, score }) => ({ map, score, attemptsLeft: attemptsLeft(guid, [map]) })),
      attemptsLeft: attemptsLeft(guid, [...shown]),
    }
  })
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an outlook names something that was not read with it')
  return value
}
