import type { FlowSimulation, Writes } from '../../data/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import styles from './flows.module.css'

/** What can be done in a trial, and what became of each map. */

export type Simulated = Exclude<Writes['POST /flows/simulate']['body'], undefined>
export type Move = NonNullable<Simulated['moves']>[number]

export interface TrialMap {
  readonly name: string
  readonly flair: string | null
  readonly isTiebreaker: boolean
}

export const sideText = (seat: number | null) =>
  seat === null ? words('own.system') : words('flows.who-seat', { seat })

function actorOf({ turn }: FlowSimulation): number | null {
  return turn?.actor === 'seats' ? (turn.seats[0] ?? null) : null
}

export function titleOf(run: FlowSimulation): string {
  const { phase, stuck, turn, winner } = run
  if (phase === 'over')
    return winner === null ? words('flows.over-drawn') : words('flows.over-won', { team: sideText(winner) })
  if (stuck !== null) return words('flows.stuck', { why: words(`play.stuck-${stuck}` as WordId) })
  if (turn === null) return words('turn.system')
  if (turn.action === 'play') return words('flows.turn-play', { game: turn.game ?? 1 })
  const team = turn.actor === 'referee' ? words('flows.who-referee') : sideText(actorOf(run))
  return turn.label ?? words(`turn.${turn.action}` as WordId, { team })
}

interface ChoicesProps {
  readonly run: FlowSimulation
  readonly move: (move: Move) => void
}

/** What can be done besides choosing a map. */
export function Choices({ run, move }: ChoicesProps) {
  const { turn, stuck, phase, seats, seconds } = run
  if (phase === 'over') return null
  const seat = actorOf(run)
  const act = { kind: 'act', ...(seat !== null && { seat }) } as const
  const isLevel = stuck === 'level' || stuck === 'level_match'
  const isPlayed = isLevel || (stuck === null && turn?.action === 'play')
  return (
    <div className="btns">
      {isPlayed &&
        seats.map((each) => (
          <button
            key={each.seat}
            type="button"
            className="btn"
            onClick={() => move({ kind: 'result', winner: each.seat })}
          >
            {words('flows.wins', { team: sideText(each.seat) })}
          </button>
        ))}
      {isPlayed && (
        <button type="button" className="btn" onClick={() => move({ kind: 'result', winner: null })}>
          {words(isLevel ? 'flows.void' : 'flows.level')}
        </button>
      )}
      {stuck !== null && !isLevel && (
        <button type="button" className="btn" onClick={() => move({ kind: 'skip' })}>
          {words('flows.pass')}
        </button>
      )}
      {stuck === null && turn !== null && (
        <>
          {turn.pairs.flatMap((pair) =>
            [1, 2].map((place) => (
              <button
                key={`${pair} ${place}`}
                type="button"
                className="btn"
                onClick={() => move({ ...act, pair, place })}
              >
                {placeText(pair, place)}
              </button>
            )),
          )}
          {turn.flairs.map((flair) => (
            <button key={flair} type="button" className="btn" onClick={() => move({ ...act, flair })}>
              <bdi>{flair}</bdi>
            </button>
          ))}
          {(turn.action === 'ready' || turn.action === 'lineup' || turn.action === 'break') && (
            <button type="button" className="btn" onClick={() => move(act)}>
              {words(`flows.do-${turn.action}`)}
            </button>
          )}
          {turn.action === 'roll' && (
            <button
              type="button"
              className="btn"
              onClick={() => move({ kind: 'act', rolls: seats.map((_, index) => 90 - 10 * index) })}
            >
              {words('flows.do-roll')}
            </button>
          )}
        </>
      )}
      {seconds !== null && stuck === null && (
        <button type="button" className="btn btn-quiet" onClick={() => move({ kind: 'lapse' })}>
          {words('flows.lapse')}
        </button>
      )}
    </div>
  )
}

export function placeText(pair: string, place: number): string {
  const isKnown = pair === 'order' || pair === 'pick' || pair === 'ban'
  return isKnown ? words(`own.place-${pair}-${place}` as WordId) : words('own.place-other', { pair, place })
}

interface MapsProps extends ChoicesProps {
  readonly maps: readonly TrialMap[]
  readonly nameOf: (map: number | null) => string
}

export function Maps({ run, maps, nameOf, move }: MapsProps) {
  const seat = actorOf(run)
  const legal = run.phase === 'over' || run.stuck !== null ? [] : (run.turn?.maps ?? [])
  return (
    <ul className={styles.maps} aria-label={words('flows.maps')}>
      {run.maps.map(({ map, state, seat: by, winner }) => {
        const said =
          by === null
            ? words(`choice.${state}`)
            : words('play.chosen', { team: sideText(by), choice: words(`choice.${state}`) })
        const won = state === 'played' && winner !== null ? words('flows.won', { team: sideText(winner) }) : null
        const note = [maps[map - 1]?.flair, maps[map - 1]?.isTiebreaker === true ? words('choice.tiebreaker') : null]
          .filter(Boolean)
          .join(', ')
        return (
          <li key={map} className={state === 'available' ? '' : styles.taken}>
            {legal.includes(map) ? (
              <button
                type="button"
                className="btn"
                onClick={() => move({ kind: 'act', ...(seat !== null && { seat }), map })}
              >
                <bdi>{nameOf(map)}</bdi>
              </button>
            ) : (
              <bdi>{nameOf(map)}</bdi>
            )}{' '}
            <span className="small muted">
              {[note, state === 'available' ? '' : (won ?? said)].filter((part) => part !== '').join(', ')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
