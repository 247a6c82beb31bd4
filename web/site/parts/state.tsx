import type { Match } from '../../../client/generated.ts'
import { type WordId, words } from '../data/words.ts'
import { StateIcon } from './icon.tsx'
import styles from './state.module.css'

/** A state: a shape and a word, never a colour alone. */

type Shape = Parameters<typeof StateIcon>[0]['name']

export function State({
  shape,
  tone,
  children,
}: {
  readonly shape: Shape
  readonly tone?: 'run' | 'quiet' | 'alert' | 'warning'
  readonly children: string
}) {
  return (
    <span className={`${styles.state} ${tone === undefined ? '' : styles[tone]}`}>
      <StateIcon name={shape} isLow />
      {children}
    </span>
  )
}

const ofMatch: Readonly<Record<Match['status'], readonly [Shape, WordId, ('run' | 'quiet')?]>> = {
  locked: ['waiting', 'match.locked', 'quiet'],
  waiting: ['waiting', 'match.waiting', 'quiet'],
  ready: ['ready', 'match.ready'],
  running: ['running', 'match.running', 'run'],
  completed: ['done', 'match.completed', 'quiet'],
  cancelled: ['off', 'match.cancelled', 'quiet'],
}

interface OfMatchProps {
  readonly status: Match['status']
  /** In tables, where the sides say what it waits for. */
  readonly isShort?: boolean
}

export function MatchState({ status, isShort = false }: OfMatchProps) {
  const [shape, long, tone] = ofMatch[status]
  const word = isShort && (status === 'locked' || status === 'waiting') ? 'match.waits' : long
  return (
    <State shape={shape} {...(tone && { tone })}>
      {words(word)}
    </State>
  )
}
