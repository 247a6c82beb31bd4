import { Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Blocks, Loaded } from '../../parts/loaded.tsx'
import { type Place, phaseOf } from '../../parts/phase.ts'
import { PrintButton } from '../../parts/print.tsx'
import { Prose } from '../../parts/prose.tsx'
import { Section } from '../../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../../parts/spoilers.tsx'
import { Ago, useNow } from '../../parts/time.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { After, Badges } from './after.tsx'
import { Facts } from './facts.tsx'
import { Now } from './now.tsx'
import styles from './overview.module.css'
import { NextStep } from './step.tsx'

/** The first page of a tournament: what is now, what comes, and what it is about. */
export function Overview() {
  const read = useTournament()
  return (
    <div className={`page in-order ${styles.page}`}>
      <Loaded of={read} rows={8} hasTitle>
        {(tournament) => <Shown tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Shown({ tournament }: { readonly tournament: Place }) {
  const { bannerUrl, name, summary, html, id } = tournament
  const phase = phaseOf(tournament, useNow(10_000))
  const banner = bannerUrl?.endsWith('/full.webp') ? bannerUrl : null
  const isHidden = useSpoilers(tournament.guid)
  const isPlayed = phase === 'running' || phase === 'over'
  return (
    <>
      {banner !== null && (
        <img className={`${styles.banner} ${phase === 'cancelled' ? styles.faded : ''}`} src={banner} alt="" />
      )}
      {phase === 'draft' && <p className="notice notice-warning">{words('tournament.draft')}</p>}
      <header className={styles.head}>
        <div>
          <h1>
            {phase === 'cancelled' ? (
              <s>
                <bdi>{name}</bdi>
              </s>
            ) : (
              <bdi>{name}</bdi>
            )}
          </h1>
          {summary !== null && <p dir="auto">{summary}</p>}
        </div>
        <div className="btns no-print">
          {isPlayed && <SpoilerSwitch tournament={tournament.guid} />}
          {phase !== 'soon' && phase !== 'cancelled' && (
            <a className="btn" href={`/api/tournaments/${id}/calendar.ics`}>
              {words('tournament.calendar')}
            </a>
          )}
          <PrintButton isSmall />
        </div>
      </header>
      {phase === 'cancelled' && <Cancelled tournament={id} reason={tournament.cancelReason} />}
      <NextStep tournament={tournament} phase={phase} />
      {phase === 'running' && <Now tournament={tournament} />}
      {phase === 'over' && <After tournament={tournament} />}
      <Timeline tournament={tournament} />
      <div className="two">
        <div className="stack">
          <Section title={words('tournament.about')} beside={tournament.rules !== null && <RulesLink id={id} />}>
            {html?.description ? (
              <Prose html={html.description} />
            ) : (
              <p className="muted">{words('tournament.no-text')}</p>
            )}
          </Section>
          {html?.prizes && (
            <Section title={words('tournament.prizes')}>
              <Prose html={html.prizes} />
            </Section>
          )}
        </div>
        <Facts tournament={tournament} phase={phase} />
      </div>
      {phase === 'over' && !isHidden && <Badges tournament={id} />}
    </>
  )
}

const RulesLink = ({ id }: { readonly id: string }) => (
  <Link to="/t/$tournament/rules" params={{ tournament: id }}>
    {words('tournament.rules')}
  </Link>
)

/** That it does not take place, why, and what the organisers told last. */
function Cancelled({ tournament, reason }: { readonly tournament: string; readonly reason: string | null }) {
  const read = useRead(address('/tournaments/{tournament}/updates', { tournament }, { include: 'html', limit: 1 }))
  const last = read.data?.updates[0]
  if (read.isPending) return <Blocks rows={4} />
  return (
    <div className={`notice notice-alert ${styles.cancelled}`}>
      <p className="strong">{words('tournament.cancelled')}</p>
      {reason !== null && (
        <p>
          <bdi>{reason}</bdi>
        </p>
      )}
      {last !== undefined && (
        <>
          <p>
            {last.title !== '' && <bdi className="strong">{last.title}</bdi>}{' '}
            <span className="muted">
              <Ago at={last.createdAt} />
            </span>
          </p>
          {last.html?.content !== undefined && <Prose html={last.html.content} />}
          <p>
            <Link to="/t/$tournament/updates" params={{ tournament }}>
              {words('tournament.all-updates')}
            </Link>
          </p>
        </>
      )}
    </div>
  )
}
