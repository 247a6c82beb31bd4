import { useEffect, useRef, useState } from 'react'
import type { FlowSimulation, Writes } from '../../data/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Blocks, Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './flows.module.css'
import { timeText } from './sentences.ts'

/** A flow played through by hand with invented sides: the service says what each choice leads to, and keeps nothing. */

type Simulated = Exclude<Writes['POST /flows/simulate']['body'], undefined>
type Move = NonNullable<Simulated['moves']>[number]

export interface TrialMap {
  readonly name: string
  readonly flair: string | null
  readonly isTiebreaker: boolean
}

interface Props {
  readonly flow: Simulated['flow']
  readonly bestOf: NonNullable<Simulated['bestOf']> | null
  readonly maps: readonly TrialMap[]
}

const sideText = (seat: number | null) => (seat === null ? words('own.system') : words('flows.who-seat', { seat }))
const newSeed = () => crypto.randomUUID().slice(0, 8)

export function Trial({ flow, bestOf, maps }: Props) {
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [seed, setSeed] = useState(newSeed)
  const [run, setRun] = useState<{ readonly of: string; readonly found: FlowSimulation } | null>(null)
  const { attempt, error } = useWrite('POST /flows/simulate', (_, found, { body }) =>
    setRun({ of: JSON.stringify(body), found }),
  )
  const pool = maps.map(({ flair, isTiebreaker }) => ({ flair, isTiebreaker }))
  const text = JSON.stringify({ flow, bestOf, pool, seed, moves } satisfies Simulated)
  const send = useRef(attempt)
  send.current = attempt
  const ask = (body: string) => void send.current({ params: {}, body: JSON.parse(body) as Simulated })
  const wasMoved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the question changes
  useEffect(() => {
    // Moves are answered at once; what is typed elsewhere on the page pauses first.
    const timer = setTimeout(() => ask(text), wasMoved.current ? 0 : 250)
    return () => clearTimeout(timer)
  }, [text])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!wasMoved.current || run?.of !== text) return
    wasMoved.current = false
    // What was pressed is there no more.
    heading.current?.focus()
  }, [run, text])
  const go = (next: readonly Move[]) => {
    wasMoved.current = true
    setMoves(next)
  }
  const found = run?.found
  const nameOf = (map: number | null) => (map === null ? '' : (maps[map - 1]?.name ?? words('flows.map', { map })))
  const kept = found === undefined ? moves : moves.slice(0, found.taken)
  return (
    <Section
      title={words('flows.try')}
      beside={
        <div className="btns">
          <button
            type="button"
            className="btn"
            aria-disabled={moves.length === 0}
            onClick={() => moves.length > 0 && go(kept.slice(0, -1))}
          >
            {words('flows.try-back')}
          </button>
          <button
            type="button"
            className="btn"
            onClick={() => {
              setSeed(newSeed())
              go([])
            }}
          >
            {words('flows.try-anew')}
          </button>
        </div>
      }
    >
      <p className={`muted ${styles.text}`}>{words('flows.try-text')}</p>
      {error !== null && <Failure error={error} again={() => ask(text)} />}
      {found === undefined ? (
        error === null && <Blocks rows={6} />
      ) : (
        <div className={styles.trial}>
          <div>
            <h3 ref={heading} tabIndex={-1}>
              {titleOf(found)}
            </h3>
            <p className="muted">
              {words('flows.try-score', { score: found.scoreline.join(' : ') })}
              {found.turn !== null && found.phase !== 'over' && (
                <> {words('flows.at-step', { number: found.turn.step })}</>
              )}
              {found.seconds !== null && <> {words('flows.within', { time: timeText(found.seconds) })}</>}
            </p>
            {found.refused !== null && (
              <div className="notice notice-warning" role="status">
                <p className="push">
                  {words('flows.try-refused', { count: moves.length - found.taken })} <bdi>{found.refused}</bdi>
                </p>
                <button type="button" className="btn" onClick={() => go(kept)}>
                  {words('flows.try-go-on')}
                </button>
              </div>
            )}
            <Choices run={found} move={(move) => go([...kept, move])} />
            <Maps run={found} nameOf={nameOf} maps={maps} move={(move) => go([...kept, move])} />
          </div>
          <div>
            <h3>{words('flows.log')}</h3>
            <ol className={styles.log}>
              {found.log.map((row) => (
                <li key={row.position}>
                  <bdi>{rowText(row, nameOf, found)}</bdi>
                </li>
              ))}
            </ol>
          </div>
        </div>
      )}
    </Section>
  )
}

function actorOf({ turn }: FlowSimulation): number | null {
  return turn?.actor === 'seats' ? (turn.seats[0] ?? null) : null
}

function titleOf(run: FlowSimulation): string {
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
function Choices({ run, move }: ChoicesProps) {
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

function placeText(pair: string, place: number): string {
  const isKnown = pair === 'order' || pair === 'pick' || pair === 'ban'
  return isKnown ? words(`own.place-${pair}-${place}` as WordId) : words('own.place-other', { pair, place })
}

interface MapsProps extends ChoicesProps {
  readonly maps: readonly TrialMap[]
  readonly nameOf: (map: number | null) => string
}

function Maps({ run, maps, nameOf, move }: MapsProps) {
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

function rowText(
  row: FlowSimulation['log'][number],
  nameOf: (map: number | null) => string,
  run: FlowSimulation,
): string {
  const { kind, seat, map, rolls, pair, place, result, why, flair, winner } = row
  const who = sideText(seat)
  if (kind === 'roll') return words('flows.row-roll', { rolls: rolls.map((each) => each ?? '–').join(' : ') })
  if (kind === 'choose' && pair !== null && place !== null)
    return words('flows.row-choose', { who, what: placeText(pair, place) })
  if (kind === 'lapse')
    return words('flows.row-lapse', {
      who: seat === null ? '' : who,
      what: words(`flows.lapse-${result ?? 'held'}` as WordId),
    })
  if (kind === 'skip')
    return words('flows.row-skip', {
      who: seat === null ? '' : who,
      why: words(`flows.why-${why ?? 'no_map'}` as WordId),
    })
  if (kind === 'scores') {
    const won = run.maps.find((each) => each.map === map)?.winner ?? null
    return words(won === null ? 'flows.row-level' : 'flows.row-won', { map: nameOf(map), team: sideText(won) })
  }
  if (kind === 'finish')
    return winner === null ? words('flows.over-drawn') : words('flows.over-won', { team: sideText(winner) })
  if (kind === 'override') return words('flows.row-referee')
  return words(`own.row-${kind}` as WordId, { who, flair: flair ?? '', map: nameOf(map) })
}
