import { useParams } from '@tanstack/react-router'
import type { AwardCategory, Awards, Nominee } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { EditionState } from '../parts/edition-state.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Instant, useNow } from '../parts/time.tsx'
import { type Acts, ActsOf } from './acts.tsx'
import styles from './awards.module.css'
import { Method } from './method.tsx'
import { Nominations } from './nominations.tsx'
import { NomineeLine } from './nominee.tsx'
import { Ballot, openFor } from './voting.tsx'

/** An edition of the awards: when what happens, who is nominated in each category, and who has won. */
export function EditionPage() {
  const { edition } = useParams({ from: '/awards/$edition' })
  const read = useRead(address('/awards/{edition}', { edition }, { include: 'html' }), { live: true })
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={10} hasTitle>
        {(awards) => <Whole awards={awards} />}
      </Loaded>
    </div>
  )
}

function Whole({ awards }: { readonly awards: Awards }) {
  const { title, status, html, cancelReason, categories, bannerUrl } = awards
  return (
    <>
      {bannerUrl?.endsWith('/full.webp') && <img className={styles.banner} src={bannerUrl} alt="" />}
      <div className="title">
        <div>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p>
            <EditionState status={status} />
          </p>
        </div>
      </div>
      {cancelReason !== null && (
        <p className="notice notice-alert">
          <bdi>{cancelReason}</bdi>
        </p>
      )}
      <div className="two">
        <div className="stack">
          {html?.description && <Prose html={html.description} />}
          <ActsOf awards={awards}>
            {(acts) => (
              <>
                {categories.length === 0 && <Empty>{words('awards.no-categories')}</Empty>}
                {categories
                  .toSorted((one, other) => one.order - other.order)
                  .map((category) => (
                    <Category key={category.guid} awards={awards} category={category} acts={acts} />
                  ))}
              </>
            )}
          </ActsOf>
        </div>
        <div className="stack">
          <Dates awards={awards} />
          <Who of={awards} />
          {status === 'published' && <Method awards={awards} />}
        </div>
      </div>
    </>
  )
}

/** Those with the best places first, and who has declined last. */
const byPlace = (one: Nominee, other: Nominee) => placeOf(one) - placeOf(other)
const placeOf = ({ declined, result }: Nominee) => (declined ? 2_000 : (result?.place ?? 1_000))

interface CategoryProps {
  readonly awards: Awards
  readonly category: AwardCategory
  /** What the reader may do. */
  readonly acts: Acts
}

function Category({ awards, category, acts }: CategoryProps) {
  const { name, html, nominees } = category
  const open = openFor(awards, category)
  return (
    <Section title={<bdi>{name}</bdi>}>
      {html?.description && <Prose html={html.description} />}
      {acts.nominate && (
        <Nominations edition={awards.id} category={category} most={awards.rules.nominationsPerCategory} />
      )}
      {nominees === null ? (
        !acts.nominate && <Empty>{words('awards.not-yet')}</Empty>
      ) : nominees.length === 0 ? (
        <Empty>{words('awards.no-nominees')}</Empty>
      ) : acts.vote && open !== null ? (
        <Ballot edition={awards.id} category={category} nominees={open} />
      ) : (
        <ul className="lines">
          {nominees.toSorted(byPlace).map((nominee) => (
            <NomineeLine key={nominee.guid} nominee={nominee} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Dates({ awards }: { readonly awards: Awards }) {
  const { status, nominationsOpenAt, nominationsCloseAt, votingOpensAt, votingClosesAt, publishAt, publishedAt } =
    awards
  const results = publishedAt ?? publishAt
  const time = useNow(60_000)
  const at = publishedAt === null ? time : Date.parse(publishedAt)
  const reached = phases.indexOf(status)
  return (
    <Section title={words('tournament.dates')}>
      <dl className="facts">
        <dt>{words('awards.nominating')}</dt>
        <dd>
          <Phase
            step={reached - phases.indexOf('nominating')}
            from={nominationsOpenAt}
            to={nominationsCloseAt}
            at={at}
          />
        </dd>
        <dt>{words('awards.voting')}</dt>
        <dd>
          <Phase step={reached - phases.indexOf('voting')} from={votingOpensAt} to={votingClosesAt} at={at} />
        </dd>
        <dt>{words('awards.results')}</dt>
        <dd>{results === null ? words('awards.later') : <Instant at={results} />}</dd>
      </dl>
    </Section>
  )
}

/** Which accounts have a vote. (A2, A3) */
function Who({ of: { rules } }: { readonly of: Awards }) {
  const { accountBefore, link, linkBefore, minTournamentsPlayed } = rules
  return (
    <Section title={words('awards.who')}>
      <dl className="facts">
        <dt>{words('awards.account')}</dt>
        <dd>
          {words('awards.account-before')} <Instant at={accountBefore} />
        </dd>
        {link !== 'none' && (
          <>
            <dt>{words('awards.link')}</dt>
            <dd>
              {words(`awards.link-${link}`)} <Instant at={linkBefore} />
            </dd>
          </>
        )}
        {minTournamentsPlayed > 0 && (
          <>
            <dt>{words('awards.played')}</dt>
            <dd>{words('awards.played-least', { count: minTournamentsPlayed })}</dd>
          </>
        )}
      </dl>
      <p className="small muted">{words('awards.to-nominate')}</p>
    </Section>
  )
}

const phases: readonly Awards['status'][] = ['draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published']

interface PhaseProps {
  /** How many steps the edition is behind the beginning of the phase: 0 while it lasts, less before it. */
  readonly step: number
  readonly from: string
  readonly to: string
  /** Up to when the dates can be compared with what has happened. */
  readonly at: number
}

/** When a phase begins and ends. Managers may take a step before its date, so that the date says what was planned. */
function Phase({ step, from, to, at }: PhaseProps) {
  const planned = (
    <>
      <Instant at={from} /> – <Instant at={to} />
    </>
  )
  if (step > 0 && at < Date.parse(to))
    return (
      <>
        {words('awards.closed-early')}{' '}
        <span className="muted">
          ({words('awards.planned')} {planned})
        </span>
      </>
    )
  if (step === 0 && at < Date.parse(from))
    return (
      <>
        {words('awards.open-until')} <Instant at={to} />
      </>
    )
  return planned
}
