import { useEffect, useRef, useState } from 'react'
import type { FlowSimulation } from '../../data/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Blocks, Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './flows.module.css'
import { timeText } from './sentences.ts'
import {
  Choices,
  Maps,
  type Move,
  placeText,
  type Simulated,
  sideText,
  type TrialMap,
  titleOf,
} from './trial-moves.tsx'

/** A flow played through by hand with invented sides: the service says what each choice leads to, and keeps nothing. */

interface Props {
  readonly flow: Simulated['flow']
  readonly bestOf: NonNullable<Simulated['bestOf']> | null
  readonly maps: readonly TrialMap[]
}

const newSeed = () => crypto.randomUUID().slice(0, 8)

export function Trial({ flow, bestOf, maps }: Props) {
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [seed, setSeed] = useState(newSeed)
  const [run, setRun] = useState<{ readonly of: string; readonly found: FlowSimulation } | null>(null)
  const pool = maps.map(({ flair, isTiebreaker }) => ({ flair, isTiebreaker }))
  const text = JSON.stringify({ flow, bestOf, pool, seed, moves } satisfies Simulated)
  const latest = useRef(text)
  latest.current = text
  const { attempt, error } = useWrite('POST /flows/simulate', (_, found, { body }) => {
    const of = JSON.stringify(body)
    // Answers may overtake each other.
    if (of === latest.current || run === null) setRun({ of, found })
  })
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
