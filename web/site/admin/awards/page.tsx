import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { address } from '../../data/api.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { EditionState } from '../../parts/edition-state.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './awards.module.css'
import { EditionForm } from './edition-form.tsx'

/** All editions of the awards, drafts and cancelled ones among them, and the way to a new one. */
export function AdminAwards() {
  const pages = usePages(address('/awards', {}, { limit: 50 }))
  const [isMaking, setMaking] = useState(false)
  const found = pages.data?.pages.flatMap(({ editions }) => editions)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('awards.title')}</h1>
          <p>{words('admin-awards.about')}</p>
        </div>
        {!isMaking && (
          <button type="button" className="btn btn-primary" onClick={() => setMaking(true)}>
            {words('admin-awards.new')}
          </button>
        )}
      </div>
      {isMaking && (
        <Section title={words('admin-awards.new')}>
          <EditionForm awards={null} cancel={() => setMaking(false)} />
        </Section>
      )}
      <Section title={words('awards.editions')}>
        <Loaded of={{ ...pages, data: found }} rows={4}>
          {(editions) =>
            editions.length === 0 ? (
              <Empty>{words('admin-awards.none')}</Empty>
            ) : (
              <>
                <ul className="lines">
                  {editions.map((edition) => (
                    <li key={edition.guid} className={styles.edition}>
                      <Link to="/admin/awards/$edition" params={{ edition: edition.id }} className="plain strong">
                        <bdi>{edition.title}</bdi>
                      </Link>
                      <EditionState status={edition.status} />
                      <span className="muted">
                        <Due of={edition} />
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

type Dated = Pick<
  NonNullable<Parameters<typeof EditionForm>[0]['awards']>,
  | 'status'
  | 'nominationsOpenAt'
  | 'nominationsCloseAt'
  | 'votingOpensAt'
  | 'votingClosesAt'
  | 'publishAt'
  | 'publishedAt'
>

/** The step that the service takes by itself, and when. */
export function Due({ of }: { readonly of: Dated }) {
  const { status, publishedAt } = of
  if (publishedAt !== null)
    return (
      <>
        {words('admin-awards.published-at')} <Instant at={publishedAt} />
      </>
    )
  if (status === 'cancelled' || status === 'published') return null
  const at = {
    draft: of.nominationsOpenAt,
    nominating: of.nominationsCloseAt,
    shortlisting: of.votingOpensAt,
    voting: of.votingClosesAt,
    counting: of.publishAt,
  }[status]
  if (at === null) return words('admin-awards.due-by-hand')
  return (
    <>
      {words(`admin-awards.due-${status}`)} <Instant at={at} />
    </>
  )
}
