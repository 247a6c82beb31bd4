import { Link } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import { usePages } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { EditionState } from '../parts/edition-state.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { Span } from '../parts/time.tsx'
import styles from './awards.module.css'

/** All editions of the awards. */
export function AwardsPage() {
  const pages = usePages(address('/awards', {}, { limit: 50 }))
  const found = pages.data?.pages.flatMap(({ editions }) => editions)
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('awards.title')}</h1>
          <p>{words('awards.what')}</p>
        </div>
        <Link to="/badges" search={{}} className="btn">
          {words('badges.title')}
        </Link>
      </div>
      <Section title={words('awards.editions')}>
        <Loaded of={{ ...pages, data: found }} rows={4}>
          {(editions) =>
            editions.length === 0 ? (
              <Empty>{words('awards.none')}</Empty>
            ) : (
              <>
                <ul className="lines">
                  {editions.map(({ guid, id, title, status, nominationsOpenAt, publishedAt, votingClosesAt }) => (
                    <li key={guid} className={styles.edition}>
                      <Link to="/awards/$edition" params={{ edition: id }} className="plain strong">
                        <bdi>{title}</bdi>
                      </Link>
                      <EditionState status={status} />
                      <span className="muted">
                        {publishedAt === null ? (
                          <Span from={nominationsOpenAt} to={votingClosesAt} />
                        ) : (
                          <Span from={publishedAt} to={null} />
                        )}
                      </span>
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
