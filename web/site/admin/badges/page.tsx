import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { address } from '../../data/api.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Picture } from '../../parts/badge.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { BadgeForm } from './badge-form.tsx'
import styles from './badges.module.css'
import { Requests } from './requests.tsx'

/** Requests for badges that wait, and all badges. */

const route = getRouteApi('/admin/badges')

export function AdminBadges() {
  const { q } = route.useSearch()
  const navigate = useNavigate({ from: '/admin/badges' })
  const pages = usePages(address('/badges', {}, { limit: 50, ...(q && { q }) }))
  const found = pages.data?.pages.flatMap(({ badges }) => badges)
  const [isMaking, setMaking] = useState(false)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('badges.title')}</h1>
          <p>{words('admin-badges.about')}</p>
        </div>
        {!isMaking && (
          <button type="button" className="btn" onClick={() => setMaking(true)}>
            {words('admin-badges.new')}
          </button>
        )}
      </div>
      {isMaking && (
        <Section title={words('admin-badges.new')}>
          <BadgeForm badge={null} done={() => setMaking(false)} />
        </Section>
      )}
      <Requests />
      <Section
        title={words('admin-badges.all')}
        beside={
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
              void navigate({ search: (before) => ({ ...before, q: text }) })
            }}
          >
            <input
              key={q}
              className="in"
              type="search"
              name="q"
              defaultValue={q}
              maxLength={100}
              placeholder={words('badges.filter')}
              aria-label={words('badges.filter')}
            />
          </form>
        }
      >
        <Loaded of={{ ...pages, data: found }} rows={6}>
          {(badges) =>
            badges.length === 0 ? (
              <Empty>{words(q === undefined ? 'admin-badges.none' : 'badges.no-hit')}</Empty>
            ) : (
              <>
                <ul className="lines">
                  {badges.map(({ guid, name, kind, holders, imageUrl, retiredAt }) => (
                    <li key={guid} className={styles.line}>
                      <Picture address={imageUrl} name={name} />
                      <Link to="/admin/badges/$badge" params={{ badge: guid }} className="plain strong">
                        <bdi>{name}</bdi>
                      </Link>
                      <span className="muted">{words(`badges.${kind}`)}</span>
                      <span className="muted">{words('badges.holders', { count: holders })}</span>
                      {retiredAt !== null && (
                        <State shape="off" tone="quiet">
                          {words('admin-badges.is-retired')}
                        </State>
                      )}
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
