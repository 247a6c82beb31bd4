import { Link, useParams } from '@tanstack/react-router'
import type { AwardCategory, Awards, Nominee } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './awards.module.css'
import { EditionState } from './state.tsx'

/** An edition of the awards: when what happens, who is nominated in each category, and who has won. */
export function EditionPage() {
  const { edition } = useParams({ from: '/awards/$edition' })
  const read = useRead(address('/awards/{edition}', { edition }, { include: 'html' }), { live: true })
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={10}>
        {(awards) => <Whole awards={awards} />}
      </Loaded>
    </div>
  )
}

function Whole({ awards }: { readonly awards: Awards }) {
  const { title, status, html, cancelReason, categories } = awards
  return (
    <>
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
          {categories.length === 0 && <Empty>{words('awards.no-categories')}</Empty>}
          {categories
            .toSorted((one, other) => one.order - other.order)
            .map((category) => (
              <Category key={category.guid} category={category} />
            ))}
        </div>
        <div className="stack">
          <Dates awards={awards} />
          {status === 'published' && <Method edition={awards.guid} />}
        </div>
      </div>
    </>
  )
}

/** Those with the best places first, and who has declined last. */
const byPlace = (one: Nominee, other: Nominee) => placeOf(one) - placeOf(other)
const placeOf = ({ declined, result }: Nominee) => (declined ? 2_000 : (result?.place ?? 1_000))

function Category({ category: { name, html, nominees } }: { readonly category: AwardCategory }) {
  return (
    <Section title={<bdi>{name}</bdi>}>
      {html?.description && <Prose html={html.description} />}
      {nominees === null ? (
        <Empty>{words('awards.not-yet')}</Empty>
      ) : nominees.length === 0 ? (
        <Empty>{words('awards.no-nominees')}</Empty>
      ) : (
        <ul className="lines">
          {nominees.toSorted(byPlace).map((nominee) => (
            <Line key={nominee.guid} nominee={nominee} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

function Line({ nominee }: { readonly nominee: Nominee }) {
  const { label, imageUrl, description, declined, result } = nominee
  return (
    <li className={styles.nominee}>
      <span className="num" title={words('awards.place')}>
        {result?.place ?? (result === null ? '' : '–')}
      </span>
      <Face name={label} picture={imageUrl} isTeam width={128} />
      <div>
        <Name nominee={nominee} />
        {declined && <span className="muted"> {words('awards.declined')}</span>}
        {result?.winner && <span className={styles.winner}>{words('awards.winner')}</span>}
        {description !== '' && (
          <p className="muted small" dir="auto">
            {description}
          </p>
        )}
        {result?.share != null && (
          <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width={result.share * 100} height="4" />
          </svg>
        )}
      </div>
      {result?.votes != null && result.share !== null && (
        <p className={styles.votes}>
          <b className="num">{result.votes}</b>{' '}
          <span className="muted small">
            {words('awards.votes', { count: result.votes, share: percent.format(result.share) })}
          </span>
        </p>
      )}
    </li>
  )
}

function Name({ nominee: { label, link, user, team, tournament, result } }: { readonly nominee: Nominee }) {
  const name = <bdi>{label}</bdi>
  const className = `plain ${result?.winner ? 'strong' : ''}`
  if (user !== null)
    return (
      <Link to="/u/$user" params={{ user: user.guid }} className={className}>
        {name}
      </Link>
    )
  if (team !== null)
    return (
      <Link
        to="/t/$tournament/teams/$team"
        params={{ tournament: team.tournament.id, team: team.id }}
        className={className}
      >
        {name}
      </Link>
    )
  if (tournament !== null)
    return (
      <Link to="/t/$tournament" params={{ tournament: tournament.id }} className={className}>
        {name}
      </Link>
    )
  if (link !== null)
    return (
      <a href={link} rel="nofollow ugc noopener" className={className}>
        {name}
      </a>
    )
  return <span className={className}>{name}</span>
}

function Dates({ awards }: { readonly awards: Awards }) {
  const { nominationsOpenAt, nominationsCloseAt, votingOpensAt, votingClosesAt, publishAt, publishedAt } = awards
  const results = publishedAt ?? publishAt
  return (
    <Section title={words('tournament.dates')}>
      <dl className="facts">
        <dt>{words('awards.nominating')}</dt>
        <dd>
          <Instant at={nominationsOpenAt} /> – <Instant at={nominationsCloseAt} />
        </dd>
        <dt>{words('awards.voting')}</dt>
        <dd>
          <Instant at={votingOpensAt} /> – <Instant at={votingClosesAt} />
        </dd>
        <dt>{words('awards.results')}</dt>
        <dd>{results === null ? words('awards.later') : <Instant at={results} />}</dd>
      </dl>
    </Section>
  )
}

function Method({ edition }: { readonly edition: string }) {
  const read = useRead(address('/awards/{edition}/results', { edition }))
  return (
    <Section title={words('awards.counted')}>
      <Loaded of={read} rows={3}>
        {({ voters, excluded, ballotsDigest, corrections }) => (
          <div className={styles.method}>
            <p>
              {words('awards.voters', { count: voters })} {words('awards.excluded', { count: excluded.votes })}{' '}
              {words('awards.method')}
            </p>
            {ballotsDigest !== null && (
              <>
                <p>{words('awards.digest')}</p>
                <p className={`code small ${styles.digest}`}>{ballotsDigest}</p>
                <p>
                  <a href={`/api/awards/${edition}/ballots.csv`} download>
                    {words('awards.ballots')}
                  </a>
                </p>
              </>
            )}
            {corrections.map(({ at, reason }) => (
              <p key={at}>
                <b>
                  {words('awards.corrected')} <Instant at={at} />
                </b>{' '}
                <span dir="auto">{reason}</span>
              </p>
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
