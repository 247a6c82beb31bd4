import { useState } from 'react'
import type { FlowState, TournamentWithParts } from '../../../../../client/generated.ts'
import { useMay } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { BeginWith } from '../../../parts/begin-with.tsx'
import { Key } from '../../../parts/key.tsx'
import { Failure } from '../../../parts/loaded.tsx'
import { Section } from '../../../parts/section.tsx'
import { MatchState } from '../../../parts/state.tsx'
import { Walkover } from '../../../parts/walkover.tsx'
import { Now } from '../now.tsx'
import { PoolMaps } from '../pool-maps.tsx'
import type { View } from '../view.ts'

/** Before the match: what it will be played by, and its beginning. */

interface Props {
  readonly view: View
  readonly planned: FlowState
  readonly tournament: TournamentWithParts
}

export function Waiting({ view, planned, tournament }: Props) {
  const may = useMay()
  const [isWalkover, setWalkover] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const { match } = view
  const params = { tournament: tournament.id, match: match.guid }
  const at = `/tournaments/${tournament.id}/matches/${match.guid}`
  const begin = useWrite('POST /tournaments/{tournament}/matches/{match}/flow', (known) => known.renew(at))
  const start = useWrite('POST /tournaments/{tournament}/matches/{match}/start', (known) => known.renew(at))
  const isReady = match.status === 'ready'
  const name = planned.flow?.name
  const error = begin.error ?? start.error
  return (
    <>
      <Now view={view} song={null} isReady />
      {error !== null && (
        <Failure
          error={error}
          again={begin.error === null ? start.again : begin.again}
          isTrying={begin.isSending || start.isSending}
        />
      )}
      <Section title={<MatchState status={match.status} />}>
        {isReady ? (
          <div className="btns">
            {name !== undefined && may('flowSessions.begin') && (
              <button
                type="button"
                className="btn btn-primary"
                data-key="s"
                aria-disabled={begin.isSending}
                onClick={() => void begin.send({ params })}
              >
                <bdi>{words('live.start-by', { flow: name })}</bdi> <Key of="s" />
              </button>
            )}
            {may('flowSessions.begin') && (
              <button type="button" className="btn" data-key="f" onClick={() => setChoosing(true)}>
                {words(name === undefined ? 'begin.choose' : 'begin.other')}… <Key of="f" />
              </button>
            )}
            {may('matches.start') && (
              <button
                type="button"
                className={name === undefined ? 'btn btn-primary' : 'btn'}
                aria-disabled={start.isSending}
                onClick={() => void start.send({ params })}
              >
                {words(name === undefined ? 'live.start' : 'cockpit.start-by-hand')}
              </button>
            )}
            {may('matches.reportResult') && (
              <button type="button" className="btn btn-danger" onClick={() => setWalkover(true)}>
                {words('live.walkover')}…
              </button>
            )}
          </div>
        ) : (
          <p>{words('cockpit.not-ready')}</p>
        )}
      </Section>
      <PoolMaps planned={planned} tournament={tournament.id} />
      {isChoosing && <BeginWith match={match} tournament={tournament} close={() => setChoosing(false)} />}
      {isWalkover && <Walkover match={match} tournament={tournament} close={() => setWalkover(false)} />}
    </>
  )
}
