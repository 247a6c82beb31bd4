import type { ReactNode } from 'react'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWriteEach } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { useRenewMatches } from '../matches.ts'
import { type Played, playedTimes } from './lateness.ts'

interface Props {
  readonly played: readonly Played[]
  /** Leads to what the rehearsal has otherwise than its tournament. */
  readonly compare: ReactNode
}

/** Gives the matches of the rehearsal the times at which they were played, as a schedule that would have held. */
export function PlanAsPlayed({ played, compare }: Props) {
  const tournament = useTournamentId()
  const may = useMay()
  const renew = useRenewMatches()
  const { send, outcomes } = useWriteEach('PATCH /tournaments/{tournament}/matches/{match}')
  const times = playedTimes(played)
  const all = [...outcomes.values()]
  const failed = all.find((each) => each instanceof Error) ?? null
  const act = async () => {
    const requests = new Map(
      [...times].map(([match, scheduledAt]) => [
        `${match} ${scheduledAt}`,
        { params: { tournament, match }, body: { scheduledAt } },
      ]),
    )
    const isDone = await send(requests)
    renew()
    return isDone
  }
  if (!may('matches.update')) return null
  const isSending = all.includes('sending')
  return (
    <>
      {times.size > 0 && (
        <Danger
          label={words('rehearse.take-times', { count: times.size })}
          title={words('rehearse.take-title')}
          confirm={words('rehearse.take')}
          isPlain
          error={failed}
          isSending={isSending}
          act={act}
        >
          <p>{words('rehearse.take-what', { count: times.size })}</p>
          <p role="status" className="muted">
            {isSending && words('rehearse.taking', { done: all.filter((each) => each === 'done').length })}
          </p>
        </Danger>
      )}
      {times.size === 0 && (
        <p role="status">
          {words('rehearse.taken')} {compare}
        </p>
      )}
    </>
  )
}
