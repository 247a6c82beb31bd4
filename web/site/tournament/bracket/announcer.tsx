import { useEffect, useRef, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { sideName } from '../../parts/match.tsx'

const paceMs = 5_000
/** Matches that finish within this time share a message. */
const mergeMs = 1_000

/** Tells those who hear the page what finished: at most once in five seconds, several together. (W16) */
export function Announcer({ matches, isHidden }: { readonly matches: readonly Match[]; readonly isHidden: boolean }) {
  const known = useRef(new Map(matches.map(({ guid, status }) => [guid, status])))
  const waiting = useRef<Match[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastAt = useRef(Number.NEGATIVE_INFINITY)
  const [text, setText] = useState('')
  useEffect(() => {
    for (const match of matches) {
      if (match.status === 'completed' && known.current.get(match.guid) === 'running') waiting.current.push(match)
      known.current.set(match.guid, match.status)
    }
    if (waiting.current.length === 0 || timer.current !== undefined) return
    timer.current = setTimeout(
      () => {
        const [only, ...others] = waiting.current
        waiting.current = []
        timer.current = undefined
        lastAt.current = performance.now()
        if (only === undefined) return
        const winner = only.sides.find(({ result }) => result === 'win')
        setText(
          others.length > 0 || winner === undefined || isHidden
            ? words('announce.finished', { count: others.length + 1 })
            : words('announce.won', { number: only.number, team: sideName(winner) }),
        )
      },
      Math.max(mergeMs, lastAt.current + paceMs - performance.now()),
    )
  }, [matches, isHidden])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div className="unseen" role="status">
      {text}
    </div>
  )
}
