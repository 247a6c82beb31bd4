import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { actions } from '../../../../engine/flows/flow.ts'
import type { PoolEntry } from '../../../../engine/flows/rows.ts'
import {
  type ClockState,
  type Needs,
  phases,
  type State,
  sessionStatuses,
  type TurnState,
} from '../../../../engine/flows/state-types.ts'
import { PoolMapView } from '../../../maps/pools/views/map.ts'
import { flowMembers } from './flow.ts'
import { GameView, gameView, OptionalSeat, Seat } from './games.ts'
import { ClaimView, claimView, ProposalView, WarningView, warningView } from './judging.ts'
import { namesOf, Players, userOf } from './players.ts'
import { type SeatFacts, SeatView, seatView } from './seats.ts'

const {
  staffNote: _n,
  addedBy: _a,
  suggestionGuid: _s,
  usedBefore: _u,
  warnings: _w,
  ...mapMembers
} = PoolMapView.properties

const TurnView = Type.Object({
  step: Type.String({ description: 'As it is written.', examples: ['3.2.1'] }),
  label: nullable(Type.String()),
  action: oneOf(actions),
  actor: oneOf(['seats', 'referee', 'system'], { description: 'Who acts.' }),
  seats: Type.Array(Seat, {
    description: 'That have not answered yet; in the phase `window`, that may still claim a replay or accept.',
  }),
  options: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
    description:
      'What may be chosen: maps, places, users. For whoever speaks for one of several seats, by that one; for all others, by any of them.',
  }),
  of: Type.Array(Seat, { description: 'That must answer.' }),
  done: Type.Array(Seat),
  accepted: Type.Array(Seat, { description: 'That have accepted the result, and can claim no replay of it.' }),
  secret: Type.Boolean({ description: 'Answers are for their seats alone until all have answered.' }),
  own: Type.Array(Type.Object({ seat: Seat, map: nullable(Guid), users: nullable(Players) }), {
    description: 'Secret answers of the viewer’s own seats.',
  }),
  game: nullable(Type.Integer()),
  run: nullable(Type.Integer()),
})

const ClockView = Type.Object({
  number: Type.Integer({ description: 'Position of the row that began it.' }),
  seconds: Type.Number(),
  dueAt: nullable(Instant),
  pausedAt: nullable(Instant),
  remainingMs: nullable(Type.Number()),
  overdue: Type.Boolean({ description: 'Its time is over, and what follows of that is still to come.' }),
})

const NeedsView = Type.Object({
  kind: oneOf(['maps', 'score']),
  bySeat: Type.Optional(Type.Array(Type.Integer(), { description: 'Maps to win.' })),
  behind: Type.Optional(Type.Array(Type.Number())),
  mostPossible: Type.Optional(nullable(Type.Number())),
  clinched: Type.Optional(OptionalSeat),
})

/** The schema of a session's state. (match-flows: Log and state, rule 2) */
export const StateView = Type.Object(
  {
    session: nullable(Guid, 'null before it begins.'),
    match: nullable(Guid, 'null for a free session.'),
    public: Type.Boolean({ description: 'Whether others than referees and speakers see it.' }),
    status: oneOf(sessionStatuses),
    position: Type.Integer({ description: 'Of the last row; given as `expect` with every change.', examples: [20] }),
    phase: oneOf(phases, {
      description:
        '`decided`: the match was opened again, and its maps still decide it; until one has another result, or a referee resumes with `play_on`.',
    }),
    stuck: nullable(Type.String({ examples: ['no_actor'] }), 'Why a referee is waited for.'),
    startsAt: nullable(Instant, 'When its steps begin, where that is later than the session.'),
    viewDelaySeconds: Type.Integer({ description: 'How much later outsiders see what happens.', examples: [0] }),
    flow: nullable(
      Type.Object({
        guid: nullable(Guid, 'null for a preset, and where the flow is gone.'),
        name: Type.String({ examples: ['AccSaber best of 3'] }),
        ...flowMembers,
      }),
      'As it was when the session began.',
    ),
    pool: nullable(
      Type.Object({
        guid: nullable(Guid),
        name: nullable(Type.String({ examples: ['Quarter-finals'] })),
        maps: Type.Array(Type.Object(mapMembers)),
      }),
      'As it was when the session began.',
    ),
    seats: Type.Array(SeatView),
    maps: Type.Array(
      Type.Object({
        map: Guid,
        state: oneOf(['available', 'banned', 'protected', 'picked', 'tiebreaker', 'playing', 'played', 'void']),
        seat: OptionalSeat,
        game: nullable(Type.Integer()),
        winner: OptionalSeat,
      }),
    ),
    games: Type.Array(GameView),
    turn: nullable(TurnView),
    clock: nullable(ClockView),
    scoreline: Type.Array(Type.Number(), { description: 'Maps won, by seat.', examples: [[1, 0]] }),
    needs: nullable(NeedsView, 'What is left to win, or to gain.'),
    matchPoint: nullable(Type.Array(Seat), 'Seats that need one more map.'),
    claims: Type.Array(ClaimView),
    warnings: Type.Array(WarningView, { description: 'For referees.' }),
    proposals: Type.Array(ProposalView, { description: 'For referees: penalties of lateness.' }),
    draws: Type.Object({
      drawnAs: nullable(
        Guid,
        'The GUID in the text of each draw: that of the session, or of the one that it is a copy of; null before it begins.',
      ),
      commitment: nullable(Type.String()),
      nonces: Type.Array(nullable(Type.String())),
      seed: nullable(Type.String(), 'Published when the session is over.'),
      earlier: Type.Array(Type.Object({ commitment: Type.String(), seed: nullable(Type.String()) })),
    }),
    picksBans: Type.Array(
      Type.Object({
        flowOrder: Type.Integer(),
        mapGuid: Guid,
        actionerGuid: nullable(Guid, 'Team.'),
        isPick: Type.Boolean(),
        isBan: Type.Boolean(),
        isTB: Type.Boolean(),
      }),
    ),
    winner: OptionalSeat,
    ranking: nullable(
      Type.Array(
        Type.Object({
          place: Type.Integer({ examples: [1] }),
          seat: Seat,
          points: Type.Number(),
          score: Type.Number(),
          wins: Type.Integer(),
          out: Type.Boolean(),
        }),
      ),
      'Once it is over.',
    ),
    lastUndoable: nullable(
      Type.Integer(),
      'Position of the row that an undo by a referee would take back now; null where there is nothing to take back.',
    ),
  },
  { title: 'FlowState' },
)
export type StateView = Static<typeof StateView>

/** Pool maps in a session have the form in which everybody sees them. */
export function poolMapOf(entry: PoolEntry): NonNullable<StateView['pool']>['maps'][number] {
  return entry as unknown as NonNullable<StateView['pool']>['maps'][number]
}

/** The facts of a state that the engine does not compute from the log. */
export interface StateFacts
  extends SeatFacts,
    Pick<StateView, 'match' | 'public' | 'startsAt' | 'viewDelaySeconds' | 'flow' | 'pool'> {
  /** Whether the time of the clock is over, as stored. Reading does not compare with the present time. */
  readonly isOverdue: boolean
}

export function stateView(state: State, facts: StateFacts): StateView {
  const { session, status, position, phase, stuck, maps, scoreline, matchPoint, winner, ranking, lastUndoable } = state
  const { match, startsAt, viewDelaySeconds, flow, pool, users } = facts
  const teamOf = new Map(state.seats.map(({ seat, team }) => [seat, team]))
  const named = { users, names: namesOf(state.seats) }
  return {
    session,
    match,
    public: facts.public,
    status,
    position,
    phase,
    stuck,
    startsAt,
    viewDelaySeconds,
    flow,
    pool,
    seats: state.seats.map((seat) => seatView(seat, state, facts, named.names)),
    maps: maps.map((map) => ({ ...map }) as StateView['maps'][number]),
    games: state.games.map((game) => gameView(game, named.names)),
    turn: state.turn === null ? null : turnView(state.turn),
    clock: state.clock === null ? null : clockView(state.clock, facts.isOverdue),
    scoreline: [...scoreline],
    needs: needsView(state.needs),
    matchPoint: matchPoint === null ? null : [...matchPoint],
    claims: state.claims.map((claim) => claimView(claim, named)),
    warnings: state.warnings.map((warning) => warningView(warning, named.names)),
    proposals: [...state.proposals],
    draws: {
      ...state.draws,
      nonces: [...state.draws.nonces],
      earlier: state.draws.earlier.map((each) => ({ ...each })),
    },
    picksBans: state.picksBans.map(({ flowOrder, mapGuid, seat, kind }) => ({
      flowOrder,
      mapGuid,
      actionerGuid: seat === null ? null : (teamOf.get(seat) ?? null),
      isPick: kind === 'pick',
      isBan: kind === 'ban',
      isTB: kind === 'tiebreaker',
    })),
    winner,
    ranking: ranking === null ? null : ranking.map((row) => ({ ...row })),
    lastUndoable,
  }
}

/** The state before a session begins. */
export function plannedView(match: string, { flow, pool }: Pick<StateView, 'flow' | 'pool'>): StateView {
  return {
    session: null,
    match,
    public: true,
    status: 'planned',
    position: 0,
    phase: 'starting',
    stuck: null,
    startsAt: null,
    viewDelaySeconds: flow?.rules.viewDelaySeconds ?? 0,
    flow,
    pool,
    seats: [],
    maps: [],
    games: [],
    turn: null,
    clock: null,
    scoreline: [],
    needs: null,
    matchPoint: null,
    claims: [],
    warnings: [],
    proposals: [],
    picksBans: [],
    winner: null,
    ranking: null,
    lastUndoable: null,
    draws: { drawnAs: null, commitment: null, nonces: [], seed: null, earlier: [] },
  }
}

function turnView(turn: TurnState): Static<typeof TurnView> {
  const { step, label, action, actor, seats, of, done, accepted, secret, own, game, run } = turn
  // A line-up of a seat without a team has no users to name.
  const options = action === 'lineup' ? turn.options.filter((user) => userOf(String(user)) !== null) : turn.options
  return {
    step,
    label,
    action,
    actor,
    secret,
    game,
    run,
    seats: [...seats],
    options: [...options],
    of: [...of],
    done: [...done],
    accepted: [...accepted],
    own: own.map(({ seat, map, users }) => ({ seat, map, users: users === null ? null : users.map(userOf) })),
  }
}

function clockView({ number, seconds, dueAt, pausedAt, remainingMs }: ClockState, overdue: boolean) {
  const shown = (at: number | null) => (at === null ? null : formatInstant(new Date(at)))
  return { number, seconds, remainingMs, overdue, dueAt: shown(dueAt), pausedAt: shown(pausedAt) }
}

function needsView(needs: Needs): Static<typeof NeedsView> | null {
  if (needs === null) return null
  if (needs.kind === 'maps') return { kind: 'maps', bySeat: [...needs.bySeat] }
  const { behind, mostPossible, clinched } = needs
  return { kind: 'score', behind: [...behind], mostPossible, clinched }
}
