import type { Qualifier } from '../../../client/generated.ts'
import { ApiError, address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './qualifier.module.css'
import { Maps } from './qualifier-maps.tsx'
import { Standings } from './qualifier-results.tsx'

/** The qualifier: its maps, its method, and its standings. */

export function QualifierPage() {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/qualifier', { tournament }), { live: true })
  const { error } = read
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <div className="page stack">
      {isMissing ? (
        <>
          <h1>{words('tournament.qualifier')}</h1>
          <Empty>{words('qualifier.none')}</Empty>
        </>
      ) : (
        <>
          <div className="title">
            <div>
              <h1>{words('tournament.qualifier')}</h1>
              {read.data !== undefined && <Dates of={read.data} />}
            </div>
          </div>
          <Loaded of={read} rows={10}>
            {(qualifier) => <Shown qualifier={qualifier} tournament={tournament} />}
          </Loaded>
        </>
      )}
    </div>
  )
}

function Dates({ of: { status, opensAt, closesAt } }: { readonly of: Qualifier }) {
  const zone = useTournament().data?.timezone
  return (
    <p>
      {words(`qualifier.${status}`)}
      {status === 'draft' && opensAt !== null && (
        <>
          {' '}
          {words('qualifier.opens')} <Instant at={opensAt} zone={zone} />.
        </>
      )}
      {(status === 'draft' || status === 'open') && closesAt !== null && (
        <>
          {' '}
          {words('qualifier.closes')} <Instant at={closesAt} zone={zone} />.
        </>
      )}
    </p>
  )
}

interface ShownProps {
  readonly qualifier: Qualifier
  readonly tournament: string
}

function Shown({ qualifier, tournament }: ShownProps) {
  const read = useRead(address('/tournaments/{tournament}/qualifier/standings', { tournament }), { live: true })
  const isHidden = qualifier.hideScores && (qualifier.status === 'open' || qualifier.status === 'closed')
  return (
    <>
      {isHidden && <Hidden qualifier={qualifier} />}
      <div className="two">
        <Maps qualifier={qualifier} tournament={tournament} />
        <Section title={words('qualifier.method')}>
          <Loaded of={read} rows={4}>
            {({ description }) => (
              <ul className={styles.method}>
                {description.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
          </Loaded>
        </Section>
      </div>
      {qualifier.status !== 'draft' && (
        <Loaded of={read} rows={10}>
          {(standings) => (
            <Standings standings={standings} qualifier={qualifier} tournament={tournament} isHidden={isHidden} />
          )}
        </Loaded>
      )}
    </>
  )
}

/** Since when and until when the scores are hidden. */
function Hidden({ qualifier: { status, opensAt, closesAt } }: { readonly qualifier: Qualifier }) {
  const zone = useTournament().data?.timezone
  return (
    <p className="notice">
      <span>
        <strong>{words('qualifier.hidden')}</strong>{' '}
        {opensAt !== null && (
          <>
            {words('qualifier.hidden-since')} <Instant at={opensAt} zone={zone} />.{' '}
          </>
        )}
        {words('qualifier.hidden-until')}
        {status === 'open' && closesAt !== null && (
          <>
            {' '}
            {words('qualifier.not-before')} <Instant at={closesAt} zone={zone} />.
          </>
        )}
      </span>
    </p>
  )
}
