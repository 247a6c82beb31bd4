import { useEffect, useRef } from 'react'
import { now } from '../../data/live.ts'
import { type WordId, words } from '../../data/words.ts'
import { Announcements, useAnnouncer, useIsSilent } from '../../parts/announcer.tsx'
import { hasWon } from '../../parts/match.tsx'
import { indexes } from './people.ts'
import { type Corrected, correctionOf } from './rulings.ts'
import { nameAt, sideAt, type View } from './view.ts'

/** Tells those who hear the page what changed. Of several changes of a kind the newest is announced. (W16) */

interface News {
  readonly kind: string
  readonly text: string
}

export function Announcer({ view, corrections }: { readonly view: View; readonly corrections: readonly Corrected[] }) {
  const isSilent = useIsSilent('match')
  const { message, tell } = useAnnouncer<News>((pieces) =>
    [...new Map(pieces.map(({ kind, text }) => [kind, text])).values()].join(' '),
  )
  const news = newsOf(view, corrections)
  const known = useRef<ReadonlyMap<string, string>>(undefined)
  const openedAt = useRef(now())
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
  return <Announcements message={message} />
}

function newsOf(view: View, corrections: readonly Corrected[]): readonly News[] {
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
