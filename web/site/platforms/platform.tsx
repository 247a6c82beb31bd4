import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { mayManage, useOwnPlatforms } from '../data/platforms.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Span } from '../parts/time.tsx'
import styles from './platform.module.css'

/** A platform, and the tournaments that it lists. */
export function PlatformPage() {
  const { platform } = useParams({ from: '/p/$platform' })
  const read = useRead(address('/tournament-platforms/{platform}', { platform }, { include: 'html' }))
  const pages = usePages(address('/tournament-platforms/{platform}/tournaments', { platform }, { limit: 50 }))
  const found = pages.data?.pages.flatMap(({ tournaments }) => tournaments)
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={0} hasTitle>
        {({ name, imageUrl, html, websiteUrl, contextId }) => (
          <header>
            <div className="title">
              <div className={styles.head}>
                <Face name={name} picture={imageUrl} isTeam width={128} />
                <h1>
                  <bdi>{name}</bdi>
                </h1>
              </div>
              <div className="btns no-print">
                {websiteUrl !== null && (
                  <a className="btn" href={websiteUrl} rel="nofollow ugc noopener">
                    {words('tournament.website')}
                  </a>
                )}
                <Running platform={contextId} />
                <Link to="/calendar" search={{ platform: contextId }} className="btn">
                  {words('calendar.title')}
                </Link>
              </div>
            </div>
            {html?.description && <Prose html={html.description} />}
          </header>
        )}
      </Loaded>
      <Section
        title={words('frame.tournaments')}
        beside={
          read.data && <span className="muted">{words('platform.count', { count: read.data.counts.tournaments })}</span>
        }
      >
        <Loaded of={{ ...pages, data: found }} rows={6}>
          {(tournaments) =>
            tournaments.length === 0 ? (
              <Empty>{words('platform.none')}</Empty>
            ) : (
              <>
                <ul className="lines">
                  {tournaments.map(({ guid, id, name, summary, imageUrl, startsAt, endsAt, status }) => (
                    <li key={guid} className={styles.line}>
                      <Face name={name} picture={imageUrl} isTeam />
                      <div>
                        <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
                          <bdi>{name}</bdi>
                        </Link>
                        {summary !== null && (
                          <p className="muted" dir="auto">
                            {summary}
                          </p>
                        )}
                      </div>
                      <p>
                        <Span from={startsAt} to={endsAt} />
                        <span className="muted"> {words(`status.${status}`)}</span>
                      </p>
                    </li>
                  ))}
                </ul>
                <More of={pages} />
              </>
            )
          }
        </Loaded>
      </Section>
    </div>
  )
}

/** The ways to the pages of those who run it. */
function Running({ platform }: { readonly platform: string }) {
  const own = useOwnPlatforms().data?.find(({ contextId }) => contextId === platform)
  if (own === undefined) return null
  return (
    <>
      <Link to="/review/$platform" params={{ platform }} className="btn">
        {words('review.title')}
      </Link>
      {mayManage(own) && (
        <Link to="/platforms/$platform/manage" params={{ platform }} className="btn">
          {words('managing.title')}
        </Link>
      )}
    </>
  )
}
