import { useEffect, useRef } from 'react'
import { now } from '../../data/live.ts'
import { type WordId, words } from '../../data/words.ts'
import { useAnnouncer, useIsSilent } from '../../parts/announcer.tsx'
import { hasWon } from '../../parts/match.tsx'
import { useClock } from '../../parts/time.tsx'
import { indexes } from './people.ts'
import { type Corrected, correctionOf } from './rulings.ts'
import { nameAt, sideAt, type View } from './view.ts'

/** Tells those who hear the page what changed. Of several changes of a kind the newest is announced. (W16) */

interface News {
  readonly kind: string
  readonly text: string
}

interface Props {
  readonly view: View
  readonly corrections: readonly Corrected[]
  /** The reader, where they play in the match. */
  readonly player: string | null
}

export function Announcer({ view, corrections, player }: Props) {
  const isSilent = useIsSilent('match')
  const tell = useAnnouncer<News>((pieces) =>
    [...new Map(pieces.map(({ kind, text }) => [kind, text])).values()].join(' '),
  )
  const news = newsOf(view, corrections, player)
  const known = useRef<ReadonlyMap<string, string>>(undefined)
  const openedAt = useRef(useClock()())
  const told = JSON.stringify(news)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text is announced
  useEffect(() => {
    const before = known.current
    known.current = new Map(news.map(({ kind, text }) => [kind, text]))
    if (before === undefined || isSilent) return
    for (const each of news) {
      const isNews = each.kind === 'correction' ? isRecent(corrections, openedAt.current) : before.has(each.kind)
      if (isNews && before.get(each.kind) !== each.text) tell(each)
    }
  }, [told, isSilent, tell])
  useTimeNearlyOver(view, player, isSilent ? null : tell)
  return null
}

/** Seconds before the end of the own time at which that is announced; not where the whole time is hardly more. */
const nearly = [60, 10]

function useTimeNearlyOver(view: View, player: string | null, tell: ((news: News) => void) | null): void {
  const clock = isOwnTurn(view, player) ? view.session?.clock : null
  const { dueAt = null, seconds = 0 } = clock ?? {}
  useEffect(() => {
    if (dueAt === null || tell === null) return
    const left = () => Date.parse(dueAt) - now()
    const timers = nearly
      .filter((each) => each * 2 <= seconds && each * 1_000 < left())
      .map((each) =>
        setTimeout(
          () => tell({ kind: 'time', text: words('own.time-left', { seconds: each }) }),
          left() - each * 1_000,
        ),
      )
    return () => timers.forEach(clearTimeout)
  }, [dueAt, seconds, tell])
}

/** Whether a side that the reader speaks for has to answer now. */
function isOwnTurn({ session }: View, player: string | null): boolean {
  if (player === null || session?.status !== 'running' || session.turn == null || session.phase === 'playing')
    return false
  const { turn, seats } = session
  return turn.seats.some((seat) =>
    seats.some((each) => each.seat === seat && each.speakers.some(({ guid }) => guid === player)),
  )
}

function newsOf(view: View, corrections: readonly Corrected[], player: string | null): readonly News[] {
  const { match, session, isHidden } = view
  const news: News[] = []
  const say = (kind: string, text: string) => news.push({ kind, text })
  const winner = indexes.find((at) => hasWon(sideAt(view, at)))
  say(
    'status',
    match.status !== 'completed' || winner === undefined || isHidden
      ? words(`match.${match.status}`)
      : words('play.say-won', { team: nameAt(view, winner) }),
  )
  if (match.status === 'running' && !isHidden) say('score', words('play.say-score', valuesOf(view)))
  if (match.status === 'running' && session !== undefined) {
    const { turn, status, phase } = session
    const team =
      turn?.seats.map((seat) => session.seats.find((each) => each.seat === seat)?.name ?? '').join(', ') ?? ''
    if (status === 'paused') say('turn', words('turn.paused'))
    else if (isOwnTurn(view, player) && turn !== null)
      say(
        'turn',
        phase === 'window' ? words('own.turn-window', { game: turn.game }) : words(`own.turn-${turn.action}` as WordId),
      )
    else if (phase === 'playing' && turn !== null) say('turn', words('play.game-played', { game: turn.game ?? 1 }))
    else if (phase === 'window') say('turn', words('play.may-claim', { team }))
    else if (turn?.actor === 'seats') say('turn', words(`turn.${turn.action}` as WordId, { team }))
  }
  const [last] = corrections
  if (last !== undefined && !isHidden) say('correction', correctionOf(last))
  return news
}

/** What was corrected before the page was opened is no news. */
const isRecent = ([last]: readonly Corrected[], since: number) =>
  last !== undefined && Date.parse(last.undoneAt ?? last.createdAt) > since

const valuesOf = (view: View) => ({
  first: nameAt(view, 0),
  one: sideAt(view, 0).score ?? 0,
  second: nameAt(view, 1),
  two: sideAt(view, 1).score ?? 0,
})
