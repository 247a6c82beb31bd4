import type { ReactNode } from 'react'
import type { TournamentWithParts } from '../../../client/generated.ts'
import { useHorizon } from '../data/horizon.ts'
import { words } from '../data/words.ts'
import { StateIcon } from './icon.tsx'
import { timeInWords } from './lateness.ts'
import { Reveal } from './reveal.tsx'
import { useNow } from './time.tsx'

const stepMs = 10_000

/**
 * Tells the staff how far the public is behind, and shows it everything on demand. (V4)
 * @param settings the way to the delay, for those who may change it
 */
export function Behind({
  tournament,
  settings,
}: {
  readonly tournament: TournamentWithParts
  readonly settings: ReactNode
}) {
  const horizon = useHorizon(tournament)
  const now = useNow(stepMs)
  if (tournament.spoilerMode !== 'held') return null
  const isOpen = horizon?.delaySeconds === 0 && horizon.waiting === 0
  const at = horizon?.horizon ?? null
  const behind = horizon === undefined || at === null ? null : (now - Date.parse(at)) / 1_000
  // Right after it was switched on, and after a reveal, it is less than the delay.
  const seconds = horizon === undefined || behind === null ? null : Math.max(0, Math.min(behind, horizon.delaySeconds))
  return (
    <div className={isOpen ? 'notice notice-warning' : 'notice'}>
      <StateIcon name={isOpen ? 'problem' : 'waiting'} />
      {isOpen ? (
        <p>
          {words('behind.open')} {settings}
        </p>
      ) : (
        <>
          <p className="strong">
            {seconds === null
              ? words('behind.some')
              : seconds < Math.min(60, horizon?.delaySeconds ?? 0)
                ? words('behind.little')
                : words('behind.by', { time: timeInWords(seconds) })}
          </p>
          <p className="muted">{words('behind.waiting', { count: horizon?.waiting ?? 0 })}</p>
          <Reveal label={words('reveal.all')} />
        </>
      )}
    </div>
  )
}
