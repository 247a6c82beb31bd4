import type { Qualifier } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { qualifierAddress } from '../map-reads.ts'
import { Ledger } from './ledger.tsx'
import { QualifierMaps } from './maps.tsx'
import styles from './qualifier.module.css'
import { Seeding } from './seed.tsx'
import { QualifierSettings } from './settings.tsx'
import { Steps } from './steps.tsx'
import { Source } from './sync.tsx'

/** The qualifier for those who run it: its status, its ledger, its results from elsewhere, and the seeds that come of it. */

export function ManageQualifier() {
  const tournament = useTournamentId()
  const place = useTournament().data
  const read = useRead(qualifierAddress(tournament), { live: true })
  const { error } = read
  const isMissing = read.data === undefined && error instanceof ApiError && error.status === 404
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.qualifier')} · ${place?.name ?? ''}`}>{words('manage.qualifier')}</h1>
          {read.data !== undefined && <Where of={read.data} />}
        </div>
        {read.data !== undefined && <Steps qualifier={read.data} />}
      </div>
      {isMissing ? (
        <SetUp />
      ) : (
        <Loaded of={read} rows={14}>
          {(qualifier) => <Whole qualifier={qualifier} />}
        </Loaded>
      )}
    </div>
  )
}

const shapes = { draft: 'waiting', open: 'running', closed: 'ready', final: 'done' } as const

function Where({ of: { status, opensAt, closesAt, hideScores } }: { readonly of: Qualifier }) {
  const zone = useTournament().data?.timezone
  return (
    <p className={styles.where}>
      <State shape={shapes[status]} {...(status === 'open' && { tone: 'run' as const })}>
        {words(`ledger.status-${status}`)}
      </State>
      {status === 'draft' && opensAt !== null && (
        <span>
          {words('qualifier.opens')} <Instant at={opensAt} zone={zone} />
        </span>
      )}
      {(status === 'draft' || status === 'open') && closesAt !== null && (
        <span>
          {words('qualifier.closes')} <Instant at={closesAt} zone={zone} />
        </span>
      )}
      {status !== 'final' && <span>{words(hideScores ? 'ledger.scores-hidden' : 'ledger.scores-shown')}</span>}
    </p>
  )
}

function SetUp() {
  const tournament = useTournamentId()
  const may = useMay()
  const put = useWrite('PUT /tournaments/{tournament}/qualifier', (known, reply) =>
    known.put(qualifierAddress(tournament), reply),
  )
  const send = () => void put.send({ params: { tournament }, body: { hideScores: true } })
  return (
    <>
      <Empty>{words('ledger.none')}</Empty>
      {may('qualifiers.seed') && (
        <div className="btns">
          <button type="button" className="btn btn-primary" aria-disabled={put.isSending} onClick={send}>
            {words('ledger.set-up')}
          </button>
          <span className="muted">{words('ledger.set-up-hint')}</span>
        </div>
      )}
      {put.error !== null && <Failure error={put.error} again={send} isTrying={put.isSending} />}
    </>
  )
}

function Whole({ qualifier }: { readonly qualifier: Qualifier }) {
  const may = useMay()
  return (
    <>
      {qualifier.status !== 'draft' && <Ledger qualifier={qualifier} />}
      {may('qualifiers.synchronise') && qualifier.status !== 'draft' && <Source qualifier={qualifier} />}
      {may('qualifiers.seed') && qualifier.status !== 'draft' && <Seeding qualifier={qualifier} />}
      <QualifierMaps qualifier={qualifier} />
      {may('qualifiers.seed') && <QualifierSettings qualifier={qualifier} />}
    </>
  )
}
