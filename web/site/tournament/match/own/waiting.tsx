import { type WordId, words } from '../../../data/words.ts'
import { useNow } from '../../../parts/time.tsx'
import { Left } from '../left.tsx'
import { poolMap, titleOf, type View } from '../view.ts'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** What the reader waits for, and for how long. */

interface Props {
  readonly view: View
  readonly session: Session
  readonly player: Player
}

/** Who has to act before the reader can. */
export function waitingWords({ session, player, view }: Props): string {
  const { turn, phase, status, seats } = session
  const nameOf = (all: readonly number[]) =>
    all.map((seat) => seats.find((each) => each.seat === seat)?.name ?? '').join(', ')
  if (status === 'paused') return words('own.paused')
  if (phase === 'starting') return words('play.starting')
  if (phase === 'referee' || phase === 'decided' || turn?.actor === 'referee') return words('turn.referee')
  if (turn === null || phase === 'playing') return words((turn?.run ?? 1) > 1 ? 'own.play-again' : 'own.play')
  const own = player.seat ?? (player.at === null ? null : player.at + 1)
  const what = () => words(`own.what-${turn.action}` as WordId)
  if (own !== null && player.seat === null && turn.seats.includes(own)) {
    const speakers = seats.find(({ seat }) => seat === own)?.speakers ?? []
    const names = speakers.map(({ guid, username }) => view.people.nameOf(guid) ?? username).join(', ')
    return words('own.up-to', { names, what: what() })
  }
  if (phase === 'window') return words('own.wait-window', { team: nameOf(turn.seats) })
  if (turn.action === 'break' && turn.actor !== 'seats') return turn.label ?? words('own.turn-break')
  if (turn.actor === 'system') return words('turn.system')
  return words('own.wait', { team: nameOf(turn.seats), what: what() })
}

/** What is known besides: why a referee is waited for, and what the own side has chosen in secret. */
export function Besides({ view, session, player }: Props) {
  const { phase, stuck, turn } = session
  if ((phase === 'referee' || phase === 'decided') && stuck !== null)
    return <p className="muted">{words(`play.stuck-${stuck}` as WordId)}</p>
  const own = turn?.own.find(({ seat }) => seat === player.seat)
  if (own === undefined || turn === null) return null
  const entry = poolMap(view, own.map)
  const names = own.users?.flatMap((user) => (user === null ? [] : (view.people.nameOf(user) ?? []))) ?? []
  const chosen = entry === undefined ? names.join(', ') : titleOf(entry.map)
  return (
    <p>
      {words('own.chosen')} <bdi className="strong">{chosen}</bdi>. <span className="muted">{words('own.secret')}</span>
    </p>
  )
}

/** The time of the last seconds, in which the clock looks otherwise. */
const fewMs = 30_000

export function ClockOf({ session: { clock, startsAt, phase, status } }: { readonly session: Session }) {
  const time = useNow(1_000)
  if (phase === 'starting' && startsAt !== null) return <Left until={startsAt} />
  if (clock === null) return null
  if (clock.dueAt === null || status === 'paused')
    return clock.remainingMs === null ? null : <Left ms={clock.remainingMs} />
  return (
    <span className={Date.parse(clock.dueAt) - time <= fewMs ? styles.few : undefined}>
      <Left until={clock.dueAt} />
    </span>
  )
}
