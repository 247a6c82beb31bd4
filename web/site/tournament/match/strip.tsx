import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Flair } from './flair.tsx'
import styles from './match.module.css'
import type { Index } from './people.ts'
import { indexOf, nameAt, poolMap, titleOf, type View } from './view.ts'

/** What was banned, picked and played, in the order in which it happened, and who chooses now. */

type Session = NonNullable<View['session']>
type Chosen = Session['maps'][number]

export function Strip({ view, session }: { readonly view: View; readonly session: Session }) {
  const cells = cellsOf(session)
  const left = session.maps.filter(({ state }) => state === 'available').length
  return (
    <Section
      title={words('play.choices')}
      beside={<span className="muted">{rollOf(session) ?? words('play.maps-left', { count: left })}</span>}
    >
      {cells.length === 0 && session.turn === null ? (
        <Empty>{words('play.no-choices')}</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a strip wider than the page is scrolled by keys too
        <section className="wide-content" tabIndex={0} aria-label={words('play.choices-in-order')}>
          <ol className={styles.strip}>
            {cells.map((cell) => (
              <Cell key={cell.map} view={view} of={cell} />
            ))}
            <Next view={view} session={session} />
          </ol>
        </section>
      )}
    </Section>
  )
}

interface Choice extends Chosen {
  readonly kind: 'ban' | 'pick' | 'tiebreaker' | 'protect'
}

/** Choices in order; protected maps first, whose order is not told. */
function cellsOf({ picksBans, maps, seats }: Session): readonly Choice[] {
  const states = new Map(maps.map((each) => [each.map, each]))
  const seatOf = (team: string | null) => seats.find((each) => each.team?.guid === team && team !== null)?.seat ?? null
  const chosen = picksBans
    .toSorted((one, other) => one.flowOrder - other.flowOrder)
    .flatMap(({ mapGuid, actionerGuid, isBan, isTB }): readonly Choice[] => {
      const state = states.get(mapGuid)
      if (state === undefined) return []
      const seat = seatOf(actionerGuid) ?? state.seat
      return [{ ...state, seat, kind: isBan ? 'ban' : isTB ? 'tiebreaker' : 'pick' }]
    })
  const named = new Set(chosen.map(({ map }) => map))
  const guarded = maps
    .filter(({ map, state }) => state === 'protected' && !named.has(map))
    .map((each): Choice => ({ ...each, kind: 'protect' }))
  return [...guarded, ...chosen]
}

const sideStyle = (at: Index | null) => (at === 0 ? styles.one : at === 1 ? styles.other : '')

function Cell({ view, of }: { readonly view: View; readonly of: Choice }) {
  const entry = poolMap(view, of.map)
  const at = indexOf(of.seat)
  const isOut = of.kind === 'ban' || of.state === 'void'
  const who = at === null ? words(`choice.${of.kind}`) : nameAt(view, at)
  const label =
    of.game === null || view.isHidden
      ? at === null
        ? who
        : words('play.chosen', { team: who, choice: words(`choice.${of.kind}`) })
      : words('play.chosen-game', { game: of.game, team: who })
  const winner = indexOf(of.winner)
  return (
    <li className={`${styles.cell} ${sideStyle(at)} ${of.state === 'playing' ? styles.current : ''}`}>
      <span className={styles.who}>
        <bdi>{label}</bdi>
      </span>
      <span className={styles.cellMap}>
        {entry !== undefined && <Flair of={entry} />}
        <bdi className={isOut ? styles.struck : 'strong'}>{entry === undefined ? '–' : titleOf(entry.map)}</bdi>
      </span>
      {of.state === 'playing' && isAwaited(view, of.game) ? (
        <span className="small muted">{words('play.holds-short')}</span>
      ) : of.state === 'playing' ? (
        <State shape="running" tone="run">
          {words('choice.playing')}
        </State>
      ) : of.state === 'played' && winner !== null && !view.isHidden ? (
        <span className={`${styles.cellWon} ${sideStyle(winner)}`}>
          <StateIcon name="done" />
          <span className="unseen">{words('play.won-by')} </span>
          <bdi>{nameAt(view, winner)}</bdi>
        </span>
      ) : (
        <Unplayed view={view} of={of} />
      )}
    </li>
  )
}

/** What became of a map that no side won. */
function Unplayed({ view, of: { state, kind } }: { readonly view: View; readonly of: Choice }) {
  const isOver = view.match.status === 'completed' && !view.isHidden && (kind === 'pick' || kind === 'tiebreaker')
  const word = state === 'void' || state === 'played' ? (`choice.${state}` as const) : isOver ? 'play.not-played' : null
  return word === null || (view.isHidden && state === 'played') ? null : (
    <span className="small muted">{words(word)}</span>
  )
}

/** Whether the scores of a map are there, and not final. */
const isAwaited = ({ session }: View, number: number | null) =>
  session?.games.find(({ game }) => game === number)?.phase === 'window'

/** The choice that is made now. */
function Next({ view, session: { turn, status } }: { readonly view: View; readonly session: Session }) {
  if (turn === null || status === 'over' || !['protect', 'ban', 'pick', 'random'].includes(turn.action)) return null
  return (
    <>
      {turn.seats.map((seat) => {
        const at = indexOf(seat)
        return (
          <li key={seat} className={`${styles.cell} ${styles.open} ${sideStyle(at)}`}>
            <span className={styles.who}>{at === null ? '' : <bdi>{nameAt(view, at)}</bdi>}</span>
            <span className="muted">{words(`choice.${turn.action as 'ban' | 'pick' | 'protect' | 'random'}`)} …</span>
          </li>
        )
      })}
    </>
  )
}

/** Who won the roll, and what they chose by it. */
function rollOf({ seats }: Session): string | null {
  const rolled = seats.filter(({ roll }) => roll !== null).toSorted((one, other) => (other.roll ?? 0) - (one.roll ?? 0))
  const [best, least] = rolled
  if (best === undefined || least === undefined) return null
  const first = Object.keys(best.places).map((pair) => {
    const name = seats.find(({ places }) => places[pair] === 1)?.name ?? ''
    return words(pair === 'pick' || pair === 'ban' ? `play.first-${pair}` : 'play.first', { team: name })
  })
  return [words('play.roll', { team: best.name, most: best.roll, least: least.roll }), ...first].join('. ')
}
