import { getRouteApi, Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import type { ManagedNotice } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant, useNow } from '../../parts/time.tsx'
import { NoticeForm } from './form.tsx'
import styles from './notices.module.css'

/** What the service tells everybody: all notices, and the form that writes one. */

const route = getRouteApi('/admin/notices')

export function AdminNotices() {
  const { notice: edited } = route.useSearch()
  const pages = usePages(address('/admin/notices', {}, { limit: 25 }))
  const found = pages.data?.pages.flatMap(({ notices }) => notices)
  const notice = found?.find(({ guid }) => guid === edited)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin.notices')}</h1>
          <p>{words('notices.intro')}</p>
        </div>
      </div>
      {/* A new notice can be written while the list fails or is slow. */}
      {(edited === undefined || found !== undefined) && (
        <Section title={words(notice === undefined ? 'notices.new' : 'notices.edit')}>
          {edited !== undefined && notice === undefined && <Empty>{words('notices.gone')}</Empty>}
          <NoticeForm key={notice?.guid ?? 'new'} notice={notice} />
        </Section>
      )}
      <Section title={words('notices.all')}>
        <Loaded of={{ data: found, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={8}>
          {(notices) => (
            <>
              {notices.length === 0 && <Empty>{words('notices.none')}</Empty>}
              <ul className="lines">
                {notices.map((each) => (
                  <Line key={each.guid} notice={each} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

function Line({ notice }: { readonly notice: ManagedNotice }) {
  const { guid, title, level, audience, startsAt, endsAt, createdBy } = notice
  const now = useNow(30_000)
  const isOver = endsAt !== null && Date.parse(endsAt) <= now
  const isComing = Date.parse(startsAt) > now
  const state = isOver ? 'over' : isComing ? 'coming' : 'shown'
  return (
    <li className={styles.line}>
      <div>
        <p>
          <bdi className="strong">{title}</bdi>{' '}
          <span className="muted">
            {words(`notices.level-${level}` as WordId)}, {words(`notices.audience-${audience}` as WordId)}
          </span>
        </p>
        <p className="small muted">
          <Instant at={startsAt} /> – {endsAt === null ? words('notices.no-end') : <Instant at={endsAt} />},{' '}
          <bdi>{createdBy.preferredName ?? createdBy.username}</bdi>
        </p>
      </div>
      <State shape={state === 'shown' ? 'running' : state === 'coming' ? 'waiting' : 'done'}>
        {words(`notices.state-${state}`)}
      </State>
      <div className="btns">
        <Link to="/admin/notices" search={{ notice: guid }} className="btn">
          {words('notices.change')} <span className="unseen">{title}</span>
        </Link>
        {!isOver && !isComing && <End notice={notice} now={now} />}
        <Delete notice={notice} />
      </div>
    </li>
  )
}

function End({ notice: { guid, title }, now }: { readonly notice: ManagedNotice; readonly now: number }) {
  const end = useWrite('PATCH /notices/{notice}', (known) => known.renew('/admin/notices'))
  return (
    <Danger
      label={words('notices.end')}
      of={title}
      title={words('notices.end-ask', { title })}
      isPlain
      error={end.error}
      isSending={end.isSending}
      act={() => end.send({ params: { notice: guid }, body: { endsAt: new Date(now).toISOString() } })}
    >
      <p>{words('notices.end-what')}</p>
    </Danger>
  )
}

function Delete({ notice: { guid, title } }: { readonly notice: ManagedNotice }) {
  const remove = useWrite('DELETE /notices/{notice}', (known) => known.renew('/admin/notices'))
  return (
    <Danger
      label={words('notices.delete')}
      of={title}
      title={words('notices.delete-ask', { title })}
      typed={title}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { notice: guid } })}
    >
      <p>{words('notices.delete-what')}</p>
    </Danger>
  )
}
