import { Link } from '@tanstack/react-router'
import type { Rehearsal } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { TournamentContext, useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Instant } from '../../parts/time.tsx'
import { Begin } from './begin.tsx'
import { Clock } from './clock.tsx'
import { Differences } from './differences.tsx'
import { Faults } from './faults.tsx'
import { Late } from './late.tsx'
import { Outbox } from './outbox.tsx'
import { Play } from './play.tsx'
import { rehearsalAddress } from './reads.ts'
import styles from './rehearsal.module.css'
import { from, type Part, parts, route } from './search.ts'
import { TwoReports } from './two-reports.tsx'

/** One rehearsal: its clock, its play, where the evening runs late, what would be sent, and what the tournament is to have of it. (R2, R3, R4, R6) */

export function ManageRehearsal() {
  const { rehearsal } = route.useParams()
  const tournament = useTournamentId()
  const read = useRead(rehearsalAddress(tournament, rehearsal), { live: true })
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8} title={words('rehearse.title')}>
        {(found) => <Of rehearsal={found} />}
      </Loaded>
    </div>
  )
}

function Of({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { part: asked } = route.useSearch()
  const may = useMay()
  const name = useTournament().data?.name ?? ''
  const shown = parts.filter((each) => each !== 'compare' || may('rehearsals.differences'))
  const part = shown.find((each) => each === asked) ?? 'evening'
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${rehearsal.name} · ${name}`}>
            <bdi>{rehearsal.name}</bdi>
          </h1>
          <p>
            <Back /> · {words('rehearsal.goes')} <Instant at={rehearsal.expiresAt} />.
          </p>
        </div>
        <Link to="/manage/$tournament" params={{ tournament: rehearsal.id }} className="btn">
          {words('rehearse.pages')}
        </Link>
      </div>
      <nav className={`choices ${styles.parts}`} aria-label={words('rehearse.parts')}>
        {shown.map((each) => (
          <PartLink key={each} to={each} isCurrent={each === part} className="btn">
            {words(`rehearse.part-${each}` as WordId)}
          </PartLink>
        ))}
      </nav>
      {part === 'evening' && <Evening rehearsal={rehearsal} />}
      {part === 'outside' && (
        <>
          <Faults rehearsal={rehearsal} />
          <Outbox rehearsal={rehearsal} />
        </>
      )}
      {part === 'compare' && <Differences rehearsal={rehearsal} />}
    </>
  )
}

function Back() {
  const tournament = useTournamentId()
  return (
    <Link to="/manage/$tournament/rehearsal" params={{ tournament }}>
      {words('rehearse.all')}
    </Link>
  )
}

interface PartLinkProps {
  readonly to: Part
  readonly isCurrent?: boolean
  readonly className?: string
  readonly children: React.ReactNode
}

function PartLink({ to, isCurrent = false, className = '', children }: PartLinkProps) {
  return (
    <Link
      from={from}
      to="."
      search={to === 'evening' ? {} : { part: to }}
      className={className}
      aria-current={isCurrent ? 'true' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      resetScroll={false}
    >
      {children}
    </Link>
  )
}

function Evening({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const may = useMay()
  return (
    <>
      <Clock rehearsal={rehearsal} />
      <TournamentContext value={rehearsal.guid}>
        <Begin>{may('rehearsals.play') && <Play rehearsal={rehearsal} />}</Begin>
        <Late
          absent={rehearsal.noShows.length}
          compare={may('rehearsals.differences') && <PartLink to="compare">{words('rehearse.compare-now')}</PartLink>}
        />
        <TwoReports />
      </TournamentContext>
    </>
  )
}
