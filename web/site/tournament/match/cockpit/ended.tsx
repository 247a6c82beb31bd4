import { useState } from 'react'
import { useMay, useTournament } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Reveal } from '../../../parts/reveal.tsx'
import { Now } from '../now.tsx'
import { indexes } from '../people.ts'
import { nameAt, sideAt, type View } from '../view.ts'
import { Corrections } from './corrections.tsx'
import { Previewed, ReasonField, useLook } from './previewed.tsx'

/** After the match: its result, which can be corrected or opened again after a look at what follows from that. */
export function Ended({ view }: { readonly view: View }) {
  const may = useMay()
  const isHeld = useTournament().data?.spoilerMode === 'held'
  const [open, setOpen] = useState<'result' | 'reopen' | null>(null)
  const isPlayed = view.match.status === 'completed' && view.match.outcome !== 'bye'
  const close = () => setOpen(null)
  return (
    <>
      <Now view={view} song={null} isReady />
      {isHeld && view.match.status === 'completed' && (
        <div className="btns">
          <Reveal label={words('reveal.match')} match={view.match.guid} />
        </div>
      )}
      {view.match.status === 'completed' && (
        <Corrections view={view}>
          {isPlayed && may('matches.reportResult') ? (
            <>
              <button type="button" className="btn" onClick={() => setOpen('result')}>
                {words('cockpit.correct-result')}…
              </button>
              <button type="button" className="btn" onClick={() => setOpen('reopen')}>
                {words('cockpit.reopen')}…
              </button>
            </>
          ) : undefined}
        </Corrections>
      )}
      {open === 'result' && <Result view={view} close={close} />}
      {open === 'reopen' && <Reopen view={view} close={close} />}
    </>
  )
}

interface Props {
  readonly view: View
  readonly close: () => void
}

function Result({ view, close }: Props) {
  const { match, tournament } = view
  const [scores, setScores] = useState(indexes.map((at) => String(sideAt(view, at).score ?? 0)))
  const [reason, setReason] = useState('')
  const look = useLook('PUT /tournaments/{tournament}/matches/{match}/result')
  const apply = useWrite('PUT /tournaments/{tournament}/matches/{match}/result', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const params = { tournament, match: match.guid }
  const [one = 0, two = 0] = scores.map(Number)
  const outcome = one === two ? 'draw' : 'score'
  const body = { outcome, scores: [one, two], reason: reason.trim() } as const
  return (
    <Previewed
      title={words('cockpit.correct-result')}
      error={apply.error ?? look.error}
      isSending={apply.isSending || look.isSending}
      of={body}
      look={() => look.look({ params, query: { dryRun: true }, body })}
      apply={({ revision }) => apply.send({ params, body: { ...body, ...(revision !== undefined && { revision }) } })}
      close={close}
    >
      {indexes.map((at) => (
        <label key={at} className="field">
          <bdi>{words('cockpit.maps-of', { team: nameAt(view, at) })}</bdi>
          <input
            className="in num"
            type="number"
            min={0}
            max={match.bestOf}
            required
            value={scores[at]}
            onChange={({ target }) => setScores(scores.with(at, target.value))}
          />
        </label>
      ))}
      <ReasonField value={reason} set={setReason} isOfStaff />
    </Previewed>
  )
}

function Reopen({ view, close }: Props) {
  const { match, tournament } = view
  const [reason, setReason] = useState('')
  const [isPlayedOn, setPlayedOn] = useState(false)
  const look = useLook('POST /tournaments/{tournament}/matches/{match}/reopen')
  const apply = useWrite('POST /tournaments/{tournament}/matches/{match}/reopen', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const params = { tournament, match: match.guid }
  const body = { reason: reason.trim(), ...(isPlayedOn && { resume: 'play_on' as const }) }
  return (
    <Previewed
      title={words('cockpit.reopen')}
      error={apply.error ?? look.error}
      isSending={apply.isSending || look.isSending}
      of={body}
      look={() => look.look({ params, query: { dryRun: true }, body })}
      apply={({ revision }) => apply.send({ params, body: { ...body, ...(revision !== undefined && { revision }) } })}
      close={close}
    >
      <p>{words('cockpit.reopen-text')}</p>
      {view.session !== undefined && (
        <label className="choice">
          <input type="checkbox" checked={isPlayedOn} onChange={({ target }) => setPlayedOn(target.checked)} />
          {words('cockpit.play-on')}
        </label>
      )}
      <ReasonField value={reason} set={setReason} isOfStaff />
    </Previewed>
  )
}
